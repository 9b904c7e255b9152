import type { INodeType } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { Space } from '../../../nodes/Space/Space.node';

const NODES: Readonly<Record<string, INodeType>> = {
	entity: new Entity(),
	form: new Form(),
	grid: new Grid(),
	entityTrigger: new EntityTrigger(),
	space: new Space(),
};
const MEMBERS = new Map(
	Object.entries({
		searchListMethod: 'listSearch',
		loadOptionsMethod: 'loadOptions',
		resourceMapperMethod: 'resourceMapping',
	} as const),
);

/** The methods that a description names, by kind. */
function named(value: unknown): Array<{ kind: string; method: unknown }> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
		const kind = MEMBERS.get(name);
		return kind === undefined ? named(member) : [{ kind, method: member }];
	});
}

test.each(Object.entries(NODES))('each list of %s has a method that fills it', (_name, node) => {
	const found = named(node.description.properties);
	expect(found.length).toBeGreaterThan(0);
	const methods = new Map<string, object>(Object.entries(node.methods ?? {}));
	const missing = found.filter(({ kind, method }) => !Object.hasOwn(methods.get(kind) ?? {}, String(method)));
	expect(missing).toEqual([]);
});
