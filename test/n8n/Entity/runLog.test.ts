import '../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fileItem } from '../../../testbed/world/fileItem';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { readList } from '../../../client';

const world = new ProxiedWorld();
let stock: WorldGrid;
let logs = 0;
/** Key of the log of a test. */
let key = '';

beforeEach(async () => {
	stock = await world.grid({ Item: 'string', Count: 'integer' });
	key = `log${++logs}`;
});

async function logGrid(of = key) {
	const client = world.newClient();
	const space = await client.spaces.get(world.spaceId);
	const found = (await readList(client.grids.list(space))).items.find((grid) => grid.key === of);
	return found && (await client.grids.open(found.address));
}

async function entries(of = key): Promise<Array<Record<string, unknown>>> {
	const grid = await logGrid(of);
	return grid ? (await world.newClient().entities.many(grid, { layout: 'property' })).items : [];
}

const logTo = (more: INodeParameters = {}) => ({ logTo: key, ...more });
const upsert = async (items: IDataObject[], options: INodeParameters = {}, more: object = {}) =>
	await stock.run('upsert', { ...stock.auto(['Item']), options: logTo(options) }, items, more);

describe('each write of rows is logged with what it has done', () => {
	const byKey = () => ({ key: [{ column: stock.id('Item'), value: '={{ $json.Item }}' }] });
	const where = () => ({
		conditions: { condition: [{ column: stock.id('Item'), operator: '$eq', value: 'A' }] },
	});
	const keyed = () => ({ rowBy: 'keyColumns', matchBy: byKey() });
	const written = { Created: 0, Updated: 1, Deleted: 0 };
	const OPERATIONS: Array<
		[string, () => INodeParameters & { options?: INodeParameters }, object, resource?: string]
	> = [
		['create', () => stock.auto(), { ...written, Created: 1, Updated: 0 }],
		['upsert', () => stock.auto(['Item']), written],
		['update', () => ({ ...stock.mapped({ Count: 5 }), ...keyed() }), written],
		['delete', keyed, { ...written, Updated: 0, Deleted: 1 }],
		['updateMany', () => ({ ...stock.mapped({ Count: 5 }), ...where() }), written],
		[
			'deleteMany',
			() => ({ ...where(), options: { limitPercent: 100 } }),
			{ ...written, Updated: 0, Deleted: 1 },
		],
		['sync', () => ({ ...stock.auto(['Item']) }), { ...written, Unchanged: 0 }],
		['importFile', () => ({ keyColumns: ['Item'] }), { ...written, Unchanged: 0 }],
		['undo', () => ({}), written, 'history'],
		['restore', () => ({}), written, 'history'],
	];

	test.each(OPERATIONS)('%s', async (operation, parameters, counts, resource = 'entity') => {
		const [id = ''] = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 2 });
		const moment = new Date().toISOString();
		await new Promise((resolve) => setTimeout(resolve, 5));
		if (operation === 'restore')
			await world.client.entities.update(stock.grid, id, { [stock.id('Count')]: 9 });
		const change = { _outcome: 'updated', _changes: [{ field: 'Count', old: 9, new: 1 }] };
		const item = operation === 'importFile' ? fileItem('Item,Count\nA,5\n') : { Item: 'A', Count: 5 };
		const { options = {}, ...given } = parameters();
		const { error } = await stock.run(
			operation,
			{
				...given,
				...(operation === 'restore' ? { entity: byId(id), moment } : {}),
				options: logTo(options),
			},
			[resource === 'history' ? { _id: id, ...change } : item],
			{ resource },
		);
		expect(error).toBeUndefined();
		expect(await entries()).toMatchObject([
			{
				...{ Status: 'done', Grid: stock.grid.name, Operation: operation, Node: 'DataGrid' },
				...{ Failed: 0, 'Not Tried': 0, Message: null, Row: null, Run: null, ...counts },
			},
		]);
	});
});

describe('the row of a run', () => {
	test('is there with its plan before the first write, and stays "started" if the run is killed', async () => {
		await stock.fill({ Item: 'A', Count: 1 });
		const seen: unknown[] = [];
		world.proxy.setRules(async ({ method, path }) => {
			if (method !== 'GET' && path.includes(`/${stock.grid.id}/`)) seen.push(...(await entries()));
			return undefined;
		});
		await upsert([{ Item: 'A', Count: 2 }], { findRows: 'allAtOnce' });
		expect(seen).toMatchObject([{ Status: 'started', Plan: 'would update 1', Ended: null }]);
		expect(await entries()).toMatchObject([{ Status: 'done', Updated: 1 }]);
	});

	test('costs these requests, and those of the first run only once', async () => {
		const input = stock.auto(['Item']);
		await stock.run('sync', { ...input, options: logTo() }, [{ Item: 'A' }]);
		const requests = async (options: INodeParameters) => {
			world.proxy.setRules();
			const { error } = await stock.run('sync', { ...input, options }, [{ Item: 'A' }]);
			expect(error).toBeUndefined();
			return world.proxy.requests.map(({ method }) => method);
		};
		const without = await requests({});
		const of = (methods: string[], method: string) => methods.filter((one) => one === method).length;
		for (const log of ['runs', 'runsAndFailures']) {
			const logged = await requests(logTo({ log }));
			expect(logged.length - without.length).toBe(6);
			expect([of(logged, 'POST'), of(logged, 'PUT')]).toEqual([1, 1]);
		}
		expect(await entries()).toHaveLength(3);
	});

	test('is one for each grid that the run writes to', async () => {
		const other = await world.grid({ Item: 'string', Count: 'integer' });
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Item'], schema: [] };
		const items = [stock, stock, other].map(({ grid }, at) => ({ Item: `I${at}`, to: grid.id }));
		const grid = { __rl: true, mode: 'id', value: '={{ $json.to }}' };
		const { error } = await stock.run('create', { grid, columns, options: logTo() }, items);
		expect(error).toBeUndefined();
		expect(await entries()).toMatchObject([
			{ Grid: stock.grid.name, Created: 2 },
			{ Grid: other.grid.name, Created: 1 },
		]);
	});

	test('is missing for dry runs, which make no log', async () => {
		await stock.run('upsert', { ...stock.auto(['Item']), dryRun: true, options: logTo() }, [{ Item: 'A' }]);
		expect(await logGrid()).toBeUndefined();
	});

	test('of two runs at once is in the same log, which is made once', async () => {
		const runs = await Promise.all(['A', 'B'].map(async (Item) => await upsert([{ Item }])));
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(await entries()).toHaveLength(2);
		const space = await world.newClient().spaces.get(world.spaceId);
		const made = (await readList(world.newClient().grids.list(space))).items.filter(
			(grid) => grid.key === key,
		);
		expect(made).toHaveLength(1);
	});
});

describe('a run that fails', () => {
	const refusePuts = () => {
		world.proxy.setRules(({ method, path }) =>
			method === 'PUT' && path.includes(`/${stock.grid.id}/`)
				? { kind: 'response', status: 403, body: '{"message":"secret of 4711"}' }
				: undefined,
		);
	};

	test.each(['runs', 'runsAndFailures'])('has its row with the first reason: %s', async (log) => {
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 1 });
		refusePuts();
		const { error } = await upsert([{ Item: 'A', Count: 4711 }, { Item: 'C' }], {
			log,
			findRows: 'allAtOnce',
		});
		expect(error?.message).toContain('Permission denied');
		const [run, ...failures] = await entries();
		expect(run).toMatchObject({ Status: 'failed', Failed: 1, Message: 'Permission denied' });
		expect(failures).toMatchObject(
			log === 'runs'
				? []
				: [{ Status: 'row failed', Run: run?.['_id'], Row: 'Item "A"', Message: 'Permission denied' }],
		);
		expect(JSON.stringify(await entries())).not.toContain('4711');
	});

	test('for an earlier value that no longer fits does not tell the value', async () => {
		stock = await world.grid({
			Item: 'string',
			State: { name: 'enum', options: [{ value: 'new', name: 'new' }] },
		});
		const [id = ''] = await stock.fill({ Item: 'A', State: 'new' });
		const change = { _id: id, _outcome: 'updated', _changes: [{ field: 'State', old: 'lost', new: 'new' }] };
		const { error } = await stock.run('undo', { options: logTo() }, [change], { resource: 'history' });
		expect(error?.message).toContain('no longer has the option "lost"');
		expect(await entries()).toMatchObject([{ Message: 'Values do not fit their columns: "State"' }]);
	});

	test('and goes on names each row that failed', async () => {
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 1 });
		refusePuts();
		const conditions = {
			condition: [{ column: stock.id('Count'), operator: '$eq', value: 1 }],
		};
		const ids = (await world.client.entities.many(stock.grid)).items.map(({ _id }) => `row ${_id}`);
		const options = logTo({ log: 'runsAndFailures' });
		const given = { ...stock.mapped({ Count: 4711 }), conditions, options };
		await stock.run('updateMany', given, [{}], { onError: 'continueRegularOutput' });
		const [run, ...failures] = await entries();
		expect(run).toMatchObject({ Status: 'failed' });
		expect(ids).toEqual(expect.arrayContaining(failures.map(({ Row }) => Row)));
	});

	test.each([
		['an invalid item', 'upsert', { Item: 'A', Count: 'x4711' }, 'Values do not fit their columns: "Count"'],
		['a limit', 'sync', { Item: 'A', Count: 4711 }, `would be created, which is more than 0`],
		['an invalid line', 'importFile', fileItem('Item,Count\nA,x4711\n'), 'of the file cannot be written'],
	])('before its first write because of %s is "refused"', async (_what, operation, item, message) => {
		const limits = operation === 'upsert' ? {} : { creationLimit: 0 };
		const given = { ...stock.auto(['Item']), keyColumns: ['Item'], options: logTo(limits) };
		const { error } = await stock.run(operation, given, [item]);
		expect(error).toBeDefined();
		expect(await entries()).toMatchObject([{ Status: 'refused', Grid: stock.grid.name }]);
		const [{ Message } = {}] = await entries();
		expect(Message).toContain(message);
		expect(JSON.stringify(await entries())).not.toContain('4711');
		expect(await stock.rows()).toEqual([]);
	});
});

describe('a log that cannot be written stops the run before its first write', () => {
	const refused = async (message: string) => {
		const { error } = await upsert([{ Item: 'A', Count: 1 }]);
		expect(error?.message).toContain(message);
		expect(await stock.rows()).toEqual([]);
	};

	test('because it is the grid that the run writes to', async () => {
		await upsert([{ Item: 'B' }]);
		const before = await entries();
		const grid = byId((await logGrid())?.id ?? '');
		const { error } = await stock.run('create', { grid, ...stock.auto(), options: logTo() }, [
			{ Status: 'x' },
		]);
		expect(error?.message).toContain('"Log To" is the grid that this run writes to; nothing was written');
		expect(await entries()).toMatchObject([...before, { Status: 'refused' }]);
	});

	test('because it is a grid for something else', async () => {
		await world.client.grids.update(stock.grid, { key });
		const other = stock;
		stock = await world.grid({ Item: 'string', Count: 'integer' });
		await refused('does not fit "Log To": it has no column "Status", "Started"');
		expect(other.fields.size).toBe(
			(await world.newClient().fields.of(await world.newClient().grids.open(other.grid.address))).length,
		);
	});

	test('because its columns have other types', async () => {
		await upsert([{ Item: 'B' }]);
		const grid = await logGrid();
		if (!grid) throw new Error('There is no log');
		const created = (await world.newClient().fields.of(grid)).find(({ name }) => name === 'Created');
		await world.client.fields.changeType(grid, created?.id ?? '', { name: 'string' });
		stock = await world.grid({ Item: 'string', Count: 'integer' });
		await refused('does not fit "Log To": "Created" is Text, not Whole Number');
	});

	test('because the key may not add rows to it', async () => {
		await upsert([{ Item: 'B' }]);
		stock = await world.grid({ Item: 'string', Count: 'integer' });
		const log = await logGrid();
		world.proxy.setRules(({ method, path }) =>
			method === 'POST' && path.includes(`/${log?.id}/`)
				? { kind: 'response', status: 403, body: '{}' }
				: undefined,
		);
		await refused('Permission denied');
	});

	test('because the key may add rows to it and not change them', async () => {
		await upsert([{ Item: 'B' }]);
		stock = await world.grid({ Item: 'string', Count: 'integer' });
		const log = await logGrid();
		world.proxy.setRules(({ method, path }) => {
			if (method !== 'GET' || !path.includes(`/${log?.id}/entities/`)) return undefined;
			return {
				kind: 'change',
				response: ({ body }) => ({ body: body.replaceAll('"update"', '"other"') }),
			};
		});
		await refused('permission');
	});
});

test('a log that is deleted during the run is a warning, and what was written is output', async () => {
	await stock.fill({ Item: 'A', Count: 1 });
	world.proxy.setRules(async ({ method, path }) => {
		if (method !== 'PUT' || !path.includes(`/${stock.grid.id}/`)) return undefined;
		const log = await logGrid();
		if (log) await world.client.grids.remove(log);
		return undefined;
	});
	const { rows, error, hints } = await upsert([{ Item: 'A', Count: 2 }]);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ Item: 'A', Count: 2, _outcome: 'updated' }]);
	expect(hints).toContainEqual(expect.stringContaining('The end of this run is missing in "Log'));
});
