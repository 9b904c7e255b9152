import {
	Cache,
	type Client,
	type Entity,
	type Field,
	Forbidden,
	ForeignOrigin,
	idInUrl,
	idsInUrl,
	InvalidInput,
	isJsonObject,
	NotFound,
	oncePer,
	outcomeOf,
} from '../../../client';
import { expandLinkedRows, linkColumn } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, isSimplified } from '../../shared/inputs/output/outputOptions';
import { ColumnNames } from '../../shared/rows/columnNames';
import { rowWriter } from '../../shared/rows/output';
import { valuesOf } from '../../shared/runner/bulk';
import type { ItemContext, Row } from '../../shared/runner/context';
import { unsharedRow } from './sharedObjects';

/** A linked row with its columns, or the reason why its address is output instead. */
type LinkedRow = { entity: Entity; fields: Field[] } | 'foreign' | 'opaque' | 'missing';

/** Linked rows by address, each read once per client. */
const linkedRows = oncePer<Client, Cache<LinkedRow>>(() => new Cache());

/** One column to expand, by its name in the output. */
interface Expansion {
	column: string;
	name: string;
	linkedColumns: readonly string[];
}

type Expand = (rows: Row[]) => Promise<Row[]>;

/**
 * Replaces addresses in link columns with the linked rows, as the option says.
 * @throws InvalidInput if a column does not exist or does not link rows
 */
export function expansionOf(context: ItemContext, fields: readonly Field[]): Expand {
	const { client, parameter, option, hint, columnNames } = context;
	const isSimple = isSimplified(parameter);
	const names = columnNames(fields);
	const expansions = option(expandLinkedRows).map(({ column, linkedColumns }): Expansion => {
		const field = linkColumn(column, fields, expandLinkedRows);
		return {
			column: field.name,
			name: isSimple ? (names.get(field.id) ?? field.id) : field.id,
			linkedColumns,
		};
	});
	if (expansions.length === 0) return (rows) => Promise.resolve(rows);
	const by = isSimple ? parameter(columnNaming) : 'id';
	return async (rows) => {
		const hrefs = rows.flatMap((row) => expansions.flatMap(({ name }) => hrefsIn(row, name)));
		const linkedRowsByHref = await readLinked(client, new Set(hrefs));
		for (const { column, name } of expansions) {
			const linked = rows.flatMap((row) => hrefsIn(row, name)).map((href) => linkedRowsByHref.get(href));
			showUnexpanded({ hint }, column, linked);
		}
		const shown = (href: string, linkedColumns: readonly string[], value: unknown) => {
			const linked = linkedRowsByHref.get(href);
			if (linked === undefined || typeof linked === 'string') return value;
			const { entity, fields: columns } = linked;
			const only = linkedColumns.map((name) => ColumnNames.of(columns).get(name, 'Linked Columns').id);
			return unsharedRow(entity, rowWriter(columns, { by, only }));
		};
		return rows.map((row) => {
			if (!isJsonObject(row)) return row;
			const expanded = expansions.flatMap(({ name, linkedColumns }) => {
				const value = row[name];
				const one = (link: unknown) => {
					const href = hrefOf(link);
					return href === undefined ? link : shown(href, linkedColumns, link);
				};
				if (!Object.hasOwn(row, name)) return [];
				return [[name, Array.isArray(value) ? value.map(one) : one(value)] as const];
			});
			return { ...row, ...Object.fromEntries(expanded) };
		});
	};
}

/** §2.9: an entity reference has `uri`; a bare address is accepted, too. */
function hrefOf(link: unknown): string | undefined {
	const href = isJsonObject(link) ? (link['uri'] ?? link['href']) : link;
	return typeof href === 'string' && href.trim() !== '' ? href : undefined;
}

function hrefsIn(row: Row, name: string): string[] {
	if (!isJsonObject(row) || !Object.hasOwn(row, name)) return [];
	return [row[name]].flat().flatMap((link) => hrefOf(link) ?? []);
}

async function readLinked(client: Client, hrefs: ReadonlySet<string>): Promise<Map<string, LinkedRow>> {
	const cache = linkedRows(client);
	const { outcomes, stoppedBy } = await client.session.limiter.run(
		[...hrefs],
		async (href) => [href, await cache.get(href, () => read(client, href))] as const,
		{ stopOn: () => true },
	);
	if (stoppedBy) throw stoppedBy.error;
	return new Map(valuesOf(outcomes));
}

/** Reads a linked row and its columns. Whoever wrote the address may be a stranger. */
async function read(client: Client, href: string): Promise<LinkedRow> {
	const url = client.session.below(href);
	if (!url) return 'foreign';
	const { spaceId, gridId } = idsInUrl(url.pathname);
	// The names of a row's columns come from its grid.
	if (gridId === undefined || idInUrl('entity', url.pathname) === undefined) return 'opaque';
	const reading = await outcomeOf(
		Promise.all([client.entities.at(url.href), client.grids.open({ spaceId, gridId })]),
	);
	if (reading.state === 'done') {
		const [entity, grid] = reading.value;
		return { entity, fields: await client.fields.of(grid) };
	}
	const { error } = reading;
	if (error instanceof ForeignOrigin) return 'foreign';
	if (error instanceof InvalidInput) return 'opaque';
	if (error instanceof NotFound || error instanceof Forbidden) return 'missing';
	throw error;
}

/** Why addresses are output, of one link and of several. */
const UNEXPANDED = {
	foreign: ['link leads', 'links lead', 'outside the base URL, so nothing was sent'],
	opaque: ['link does', 'links do', 'not contain the grid of the row, so its columns are unknown'],
	missing: ['linked row does', 'linked rows do', 'not exist or may not be read'],
} as const;

/** Shows how many addresses were not expanded, and why. */
function showUnexpanded(
	{ hint }: Pick<ItemContext, 'hint'>,
	column: string,
	links: ReadonlyArray<LinkedRow | undefined>,
): void {
	for (const [reason, [one, several, why]] of Object.entries(UNEXPANDED)) {
		const count = links.filter((linked) => linked === reason).length;
		if (count > 0)
			hint(
				`"${column}": ${count} ${count === 1 ? one : several} ${why}; the address is output instead.`,
				'warning',
			);
	}
}
