import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { holds, same } from '../difference';
import type { Json } from '../exchange';
import type { TrueGrid, Cells } from '../truth';
import type { Trial } from '../trial';
import type { OperationName } from '../../../testbed/world/call';
import { byId } from '../../../testbed/world/parameters';
import { entity, SYNC, type Probe } from './probe';
import { asInput } from './rows';

const CUSTOMERS = ['Alder & Finch', 'Birch', 'Cedar', 'Cedar'];
const linkSchema = z.object({ uri: z.string() });
const cell = z.custom<Json>();

/** Orders whose column Customer links one row of another grid, and Partners several. */
class Linking {
	private constructor(
		readonly trial: Trial,
		readonly customers: TrueGrid,
		readonly ids: readonly string[],
	) {}

	static async set(trial: Trial): Promise<Linking> {
		const { truth } = trial.trials;
		const { path, spaceId } = trial.grid;
		for (const [name, type] of [
			['Customer', 'reference'],
			['Partners', 'references'],
		] as const)
			await truth.post(`${path}/ColumnAdd`, { name, key: name.toLowerCase(), type: { name: type } });
		const columns = ['Name', 'Number'].map((name) => ({
			name,
			key: name.toLowerCase(),
			type: { name: name === 'Name' ? 'string' : 'integer' },
		}));
		const customers = await truth.addGrid(spaceId, `Customers ${trial.random.below(1e6)}`, columns);
		const ids = await customers.fill(CUSTOMERS.map((Name, Number) => ({ Name, Number })));
		return new Linking(trial, customers, ids);
	}

	get byName(): INodeParameters {
		const { trial, customers } = this;
		const rule = ['Customer', 'Partners'].map((column) => ({
			column,
			linkedGrid: byId(trial.shown(customers.id)),
			linkedColumn: 'Name',
		}));
		return { findLinkedRowsBy: { rule } };
	}

	/** The names of the rows that a cell links. */
	namesIn(value: Json | undefined): string[] {
		const links = Array.isArray(value) ? value : value === undefined ? [] : [value];
		return links.map((link) => {
			const href = linkSchema.parse(link).uri;
			const at = this.ids.findIndex((id) => href.includes(id));
			return CUSTOMERS[at] ?? `nobody: ${href}`;
		});
	}
}

/** What people see of linked rows is written as links, and read again in their place. */
async function linkedRows(trial: Trial): Promise<void> {
	const linking = await Linking.set(trial);
	const operations = [entity('create'), entity('upsert'), SYNC];
	const operation = operations[trial.random.below(operations.length)] ?? SYNC;
	const isCreate = operation.operation === 'create';
	const parameters: INodeParameters = {
		...trial.inGrid,
		...(isCreate ? trial.auto() : trial.auto(['Article'])),
		options: linking.byName,
	};
	const items: Cells[] = [
		{ Article: 'O-1', Customer: 'Birch', Partners: 'Birch, Alder & Finch' },
		{ Article: 'O-2', Customer: 'Alder & Finch', Partners: ['Birch'] },
	];
	const what = `linked rows of ${operation.operation}`;
	await refused(linking, what, { operation, parameters }, items);
	await trial.rows(operation, parameters, items.map(asInput));
	const rows = await trial.grid.rows();
	const seen = (name: string) => rows.map(({ cells }) => linking.namesIn(cells[name]));
	same(`${what}: Customer`, seen('Customer').sort(), [['Alder & Finch'], ['Birch']]);
	same(`${what}: Partners`, seen('Partners').sort(), [['Birch'], ['Birch', 'Alder & Finch']]);
	if (!isCreate) {
		const { written } = trial.trials.service;
		const sent = written.length;
		await trial.rows(operation, parameters, items.map(asInput));
		same(`${what}: writes of the second run`, written.length - sent, 0);
	}
	await expanded(linking);
}

/** A name that no row or several rows have stops all items before the first write. */
async function refused(
	{ trial }: Linking,
	what: string,
	{ operation, parameters }: { operation: OperationName; parameters: INodeParameters },
	items: readonly Cells[],
): Promise<void> {
	const { written } = trial.trials.service;
	const sent = written.length;
	for (const Customer of ['Cedar', 'Nobody']) {
		const input = [...items, { Article: 'O-3', Customer }].map(asInput);
		const { error } = await trial.run(operation, parameters, input);
		holds(`${what}: ${Customer} was not refused`, error?.message.includes(Customer) === true, error?.message);
	}
	same(`${what}: writes of refused runs`, written.length - sent, 0);
}

async function expanded({ trial }: Linking): Promise<void> {
	const rule = ['Customer', 'Partners'].map((column) => ({ column, linkedColumns: 'Name' }));
	const rows = await trial.rows(entity('getMany'), {
		...trial.inGrid,
		returnAll: true,
		options: { expandLinkedRows: { rule }, outputColumns: ['Article', 'Customer', 'Partners'] },
	});
	const { links, ids } = trial.variant;
	// Without its grid, nothing tells what the columns of a row are called; and no address in data is
	// followed in which a proxy could read a slash.
	if (links.href === 'opaque' || ids.form === 'slash') return;
	const names = rows.map((row) => {
		const { Customer, Partners } = z.looseObject({ Customer: cell, Partners: z.array(cell) }).parse(row);
		return [Customer, ...Partners].map(
			(one) => z.looseObject({ Name: z.string() }).safeParse(one).data?.Name,
		);
	});
	same('Expand Linked Rows', names.sort(), [
		['Alder & Finch', 'Birch'],
		['Birch', 'Birch', 'Alder & Finch'],
	]);
}

export const linkedProbes: Probe[] = [{ name: 'linked rows', every: 16, run: linkedRows }];
