import assert from 'node:assert/strict';
import { readList, type Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';
import { contactOf, type Contact, type Crm, type CrmFault } from '../../../testbed/demo/crm';
import { connectDataGrid } from '../../../testbed/demo/dataGrid';
import { outputOf } from '../../../testbed/n8n/execution';
import { startFaultProxy, type FaultProxy, type Rule } from '../../../testbed/proxy/faultProxy';
import { addUser, example, withCredential, type ExampleDemo } from './exampleDemo';
import { runByHand } from './running';

/** Both sides of the example, and what each contact must be on both. */
interface Sides {
	client: Client;
	crm: Crm;
	expected: Map<string, Contact>;
	/** IDs of contacts that the CRM no longer has. */
	gone: Set<string>;
}

/** What happens between two runs, and during the second one. */
interface Night {
	/** In the columns that the CRM owns. */
	inCrm?: Partial<Pick<Contact, 'name' | 'plan'>> & { id: string };
	/** In the columns that the grid owns. */
	inGrid?: Partial<Pick<Contact, 'email' | 'phone'>> & { id: string };
	/** Values in columns of the other system, which are overwritten. */
	overwritten?: { id: string; plan: string; phone: string };
	added?: number;
	deleted?: string;
	crmFaults?: CrmFault[];
	rule?: Rule;
	/** Whether the CRM is down for the whole run. */
	fails?: boolean;
}

const faultsOf = (method: CrmFault['method'], ...kinds: Array<CrmFault['kind']>): CrmFault[] =>
	kinds.map((kind) => ({ method, kind }));
/** The service fails at every fifth request, before or after it has carried out the request. */
const fifth =
	(kind: 'resetAfter' | 'resetBefore'): Rule =>
	(_request, number) =>
		number % 5 === 0 ? { kind } : undefined;
const busy: Rule = (_request, number) => {
	if (number % 4 !== 0) return undefined;
	return { kind: 'response', status: number % 8 === 0 ? 503 : 429, headers: { 'retry-after': '1' } };
};
const broken: Rule = ({ method }, number) =>
	(method === 'GET' || method === 'PUT') && number % 6 === 0 ? { kind: 'response', status: 500 } : undefined;

const NIGHTS: Night[] = [
	{ crmFaults: faultsOf('GET', 429, 500) },
	{ inCrm: { id: 'C-101', plan: 'gold' }, inGrid: { id: 'C-102', email: 'Ada.Lovelace@Example.com' } },
	{
		inCrm: { id: 'C-103', name: 'Renamed' },
		inGrid: { id: 'C-103', phone: '+49 30 7' },
		crmFaults: [...faultsOf('GET', 500), ...faultsOf('PATCH', 429, 'lost')],
	},
	{ added: 13, inGrid: { id: 'C-104', phone: null }, rule: busy },
	{ overwritten: { id: 'C-105', plan: 'of the grid', phone: 'of the CRM' }, rule: fifth('resetAfter') },
	{ inGrid: { id: 'C-106', email: 'B@Example.com' }, inCrm: { id: 'C-106', plan: 'gold' }, fails: true },
	{ deleted: 'C-107', inGrid: { id: 'C-113', phone: '+1 2' }, crmFaults: faultsOf('GET', 'silence') },
	{
		added: 14,
		inCrm: { id: 'C-112', name: 'Last page' },
		inGrid: { id: 'C-108', phone: '+1 8' },
		rule: broken,
		crmFaults: faultsOf('PATCH', 500),
	},
	{
		inGrid: { id: 'C-114', email: null },
		crmFaults: faultsOf('PATCH', 'silence'),
		rule: fifth('resetBefore'),
	},
	{},
];

async function gridOf(client: Client): Promise<Grid> {
	const space = (await readList(client.spaces.list())).items.find(({ key }) => key === 'crm');
	assert.ok(space, 'there is no space with the key "crm"');
	const [summary, ...others] = (await readList(client.grids.list(space))).items;
	assert.ok(summary?.key === 'contacts' && others.length === 0, 'there is another grid than "contacts"');
	return await client.grids.open(summary.address);
}

async function rowsOf(client: Client, grid: Grid) {
	return (await client.entities.page(grid, { layout: 'property', pageSize: 100 })).items;
}

async function change({ client, crm, expected, gone }: Sides, night: Night): Promise<void> {
	const { inCrm, inGrid, overwritten, added, deleted } = night;
	const expect = (id: string, values: Partial<Contact>) => {
		expected.set(id, { ...(expected.get(id) ?? contactOf(0)), ...values });
	};
	const setInCrm = (id: string, values: Partial<Contact>) => {
		crm.contacts.set(id, { ...(crm.contacts.get(id) ?? contactOf(0)), ...values });
	};
	const setInGrid = async (id: string, values: object) => {
		const grid = await gridOf(client);
		const row = (await rowsOf(client, grid)).find((one) => one['Contact ID'] === id);
		await client.entities.update(grid, String(row?._id), { ...values }, 'property');
	};
	if (inCrm) setInCrm(inCrm.id, inCrm);
	if (inCrm) expect(inCrm.id, inCrm);
	if (inGrid) {
		const { id, ...values } = inGrid;
		await setInGrid(id, {
			...('email' in values && { Email: values.email }),
			...('phone' in values && { Phone: values.phone }),
		});
		expect(id, values);
	}
	if (overwritten) {
		await setInGrid(overwritten.id, { Plan: overwritten.plan });
		setInCrm(overwritten.id, { phone: overwritten.phone });
	}
	if (added !== undefined) {
		const contact = contactOf(added);
		setInCrm(contact.id, contact);
		expect(contact.id, contact);
	}
	if (deleted !== undefined) {
		crm.contacts.delete(deleted);
		gone.add(deleted);
	}
}

/** Nothing is lost: each value is on both sides as its owner has it. */
async function assertAlike({ client, crm, expected, gone }: Sides, name: string): Promise<void> {
	const all = [...expected.values()].sort((one, other) => one.id.localeCompare(other.id));
	const inGrid = (await rowsOf(client, await gridOf(client))).map((row) => ({
		id: row['Contact ID'],
		name: row['Name'],
		plan: row['Plan'],
		email: row['Email'] ?? null,
		phone: row['Phone'] ?? null,
		in: row['In CRM'],
	}));
	inGrid.sort((one, other) => String(one.id).localeCompare(String(other.id)));
	assert.deepEqual(
		inGrid,
		all.map((contact) => ({ ...contact, in: gone.has(contact.id) ? 'no' : 'yes' })),
		`the grid after ${name}`,
	);
	const inCrm = [...crm.contacts.values()].sort((one, other) => one.id.localeCompare(other.id));
	assert.deepEqual(
		inCrm,
		all
			.filter(({ id }) => !gone.has(id))
			.map((contact) => ({ ...contact, email: contact.email?.toLowerCase() ?? null })),
		`the CRM after ${name}`,
	);
}

const writesOf = ({ requests }: Pick<FaultProxy, 'requests'>) =>
	requests.filter(({ method, path }) => method !== 'GET' && !path.includes('query')).length;

/** Ten runs in an account that has nothing, with changes on both sides and faults. */
export async function twoSystems(demo: ExampleDemo) {
	const { rest, crm, folder, service } = demo;
	const account = { url: service.url, ...(await addUser(folder, 'Cleo', 'cleo@example.com')) };
	const proxy = await startFaultProxy(account.url);
	try {
		const { key, secret } = account;
		const data = { baseUrl: proxy.url, authentication: 'apiKey', key, secret };
		const credential = await rest.putCredential({ name: 'Two systems', type: 'dataGridApi', data });
		const workflow = await withCredential(demo, example(demo, 'two-systems.json'), credential);
		const expected = new Map(crm.contacts);
		const sides: Sides = { client: connectDataGrid(account), crm, expected, gone: new Set() };
		const run = async () => await runByHand(rest, workflow, 'Every hour');
		for (const [index, night] of NIGHTS.entries()) {
			await change(sides, night);
			crm.requests.length = 0;
			crm.faults.push(...(night.crmFaults ?? []));
			proxy.setRules(...(night.rule ? [night.rule] : []));
			if (night.fails) {
				crm.faults.push(...faultsOf('PATCH', ...Array<500>(100).fill(500)));
				await assert.rejects(run(), /Send to the CRM/);
				crm.faults.length = 0;
				continue;
			}
			const result = await run();
			assert.deepEqual(crm.faults, [], `run ${String(index + 1)} met all faults`);
			await assertAlike(sides, `run ${String(index + 1)}`);
			if (index === 1) assert.ok(writesOf(proxy) > 0 && writesOf(crm) > 0, 'no write was counted');
			if (index < NIGHTS.length - 1) continue;
			assert.deepEqual(outputOf(result, 'Sync by contact'), []);
			assert.equal(writesOf(proxy), 0, 'the last run has written to the service');
			assert.equal(writesOf(crm), 0, 'the last run has written to the CRM');
		}
	} finally {
		await proxy.stop();
	}
}
