import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { z } from 'zod/v4';
import { DataGridApi } from '../../credentials/DataGridApi.credentials';
import { DataGridLinkApi } from '../../credentials/DataGridLinkApi.credentials';
import { DataGridPushApi } from '../../credentials/DataGridPushApi.credentials';
import { Entity } from '../../nodes/Entity/Entity.node';
import { Form } from '../../nodes/Form/Form.node';
import { Grid } from '../../nodes/Grid/Grid.node';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node';
import { PublicLink } from '../../nodes/PublicLink/PublicLink.node';
import { PushNotification } from '../../nodes/PushNotification/PushNotification.node';
import { Space } from '../../nodes/Space/Space.node';
import { broken, frozenCredential, frozenNode, frozenSchema, type Frozen } from './names';

const file = join(__dirname, 'names.json');
const nodes: INodeType[] = [
	new Entity(),
	new Form(),
	new Grid(),
	new EntityTrigger(),
	new PublicLink(),
	new PushNotification(),
	new Space(),
];
const credentials: ICredentialType[] = [new DataGridApi(), new DataGridLinkApi(), new DataGridPushApi()];
const current: Frozen = frozenSchema.parse({
	...Object.fromEntries(
		nodes.map(({ description }) => [`n8n-nodes-datagrid.${description.name}`, frozenNode(description)]),
	),
	...Object.fromEntries(credentials.map((credential) => [credential.name, frozenCredential(credential)])),
});
// `FREEZE=1 npm run jest -- test/frozen` adds new names; it never removes one.
const listed = frozenSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
if (process.env.FREEZE === '1' && broken(listed, current).length === 0)
	writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
const frozen = frozenSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

describe('names that saved workflows rely on', () => {
	it('are all still there, of the same type, with the same default and option values', () => {
		expect(broken(frozen, current)).toEqual([]);
	});

	it('are all listed, so that new ones are kept from now on', () => {
		expect(broken(current, frozen)).toEqual([]);
	});

	it('cover every node and credential of the package', () => {
		const { n8n } = z
			.object({ n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }) })
			.parse(JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')));
		expect(Object.keys(frozen)).toHaveLength(n8n.nodes.length + n8n.credentials.length);
	});

	const type = 'n8n-nodes-datagrid.entity';
	const name = 'entity.get.options.columnNaming';
	const edited = (change: object | undefined): Frozen => {
		const { [name]: was, ...others } = current[type]?.parameters ?? {};
		const parameters = change === undefined ? others : { ...others, [name]: { ...was, ...change } };
		return frozenSchema.parse({ ...current, [type]: { ...current[type], parameters } });
	};

	it.each<[string, object | undefined, string]>([
		['removed', undefined, 'is gone'],
		['given another type', { type: 'json' }, 'was of type options and is json'],
		['given another default', { default: 'other' }, 'had the default "name" and has "other"'],
		['left without an option value', { values: ['name', 'id'] }, 'lacks the value "key"'],
	])('fail the comparison when one is %s', (_, change, reason) => {
		expect(broken(frozen, edited(change))).toEqual([`${type}: ${name} ${reason}`]);
	});
});
