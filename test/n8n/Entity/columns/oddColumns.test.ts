import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

/** Column names that have a special meaning for n8n's engine. */
const ODD = ['error', '$error', '$json', 'json', 'binary', 'pairedItem', 'message', 'details', 'index'];
const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.grid(Object.fromEntries(ODD.map((name) => [name, 'string'])));
});

const item = (text: string) => Object.fromEntries(ODD.map((name) => [name, `${name} ${text}`]));
/**
 * Input by field ID, because the engine treats the members `$error` and `$json` as a failure of
 * the previous node.
 */
const given = (text: string) => Object.fromEntries(ODD.map((name) => [grid.id(name), `${name} ${text}`]));
/** The output name of a column. */
const label = (name: string) =>
	['error', '$error'].includes(name) ? `${name} (${grid.fields.get(name)?.key ?? grid.id(name)})` : name;
const output = (text: string) => Object.fromEntries(ODD.map((name) => [label(name), `${name} ${text}`]));

describe('output rows never look like failed items, whatever the column names', () => {
	test('a column named error with Retry On Fail: one row per item', async () => {
		const { rows, error, hints } = await grid.run('create', grid.auto(), [given('1'), given('2')], {
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(await grid.rows()).toEqual(expect.arrayContaining([item('1'), item('2')]));
		expect(await grid.rows()).toHaveLength(2);
		expect(rows).toEqual([expect.objectContaining(output('1')), expect.objectContaining(output('2'))]);
		expect(hints).toContain(
			`The column "error" is output as "${label('error')}": n8n treats an item with that member as failed.`,
		);
	});

	test('no successful row goes to the error branch', async () => {
		const { outputs } = await grid.run('create', grid.auto(), [given('1'), given('2')], {
			onError: 'continueErrorOutput',
			retryOnFail: true,
		});
		expect(outputs.map((items) => items.length)).toEqual([2, 0]);
		expect(await grid.rows()).toHaveLength(2);
	});

	test.each(['name', 'key', 'id'])('rows named by %s can be written back unchanged', async (columnNaming) => {
		await grid.fill(item('1'));
		const { rows } = await grid.run('getMany', { returnAll: true, options: { columnNaming } }, [{}], {
			retryOnFail: true,
		});
		expect(Object.keys(rows[0] ?? {})).not.toEqual(expect.arrayContaining(['error']));
		const again = await grid.run('create', grid.auto(), rows);
		expect(again.error).toBeUndefined();
		expect(await grid.rows()).toEqual([item('1'), item('1')]);
	});
});

describe('an item of unknown outcome', () => {
	beforeEach(() => {
		bed.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'resetAfter' } : undefined));
	});
	const input = [{ message: 'a' }, { message: 'b' }];
	const unknownOutcome: unknown = expect.stringContaining('Outcome "unknown"');

	test('goes to the error branch', async () => {
		const extra = { onError: 'continueErrorOutput' } as const;
		const { outputs } = await grid.run('create', grid.auto(), input, extra);
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]?.map(({ json }) => json)).toEqual([
			{ message: 'a', error: unknownOutcome },
			{ message: 'b', error: unknownOutcome },
		]);
	});

	test('does not make Retry On Fail send all items again', async () => {
		const extra = { onError: 'continueRegularOutput', retryOnFail: true } as const;
		const { rows } = await grid.run('create', grid.auto(), input, extra);
		expect(rows[0]).toEqual({ error: unknownOutcome });
		expect(rows[1]).toMatchObject({ message: 'b', _outcome: 'unknown', error: unknownOutcome });
		expect(await grid.rows()).toHaveLength(2);
	});
});
