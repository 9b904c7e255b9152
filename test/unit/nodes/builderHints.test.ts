import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { PublicLink } from '../../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../../nodes/Space/Space.node';

const nodes = [
	new Entity(),
	new Form(),
	new Grid(),
	new EntityTrigger(),
	new PublicLink(),
	new PushNotification(),
	new Space(),
];
const types = nodes.map(({ description: { name } }) => `n8n-nodes-datagrid.${name}`);

test.each(nodes.map(({ description }) => [description.displayName, description] as const))(
	'%s has a hint for the AI builder, and related nodes of this package',
	(_name, { name, builderHint }) => {
		expect(builderHint?.searchHint.length).toBeGreaterThan(50);
		const related = builderHint?.relatedNodes.map(({ nodeType }) => nodeType) ?? [];
		expect(related.length).toBeGreaterThan(0);
		expect(types).toEqual(expect.arrayContaining(related));
		expect(related).not.toContain(`n8n-nodes-datagrid.${name}`);
	},
);

test('the secret of a new access key is marked as sensitive output', () => {
	expect(new Space().description.sensitiveOutputFields).toEqual(['secret']);
});
