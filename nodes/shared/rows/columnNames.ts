import { addToGroup, BoundedMap, type Field, InvalidInput, oncePer } from '../../../client';
import { headerName } from '../csv/header';
import { unescaped } from '../display/expressionEscape';

/**
 * Members that n8n interprets as a failed item: with Retry On Fail it runs all items again if the
 * first one has `error`, whatever its value; it sends a row with `$error` and `$json` to the error
 * output.
 */
export const MISREAD_BY_N8N: ReadonlySet<string> = new Set(['error', '$error']);

/** Members of a row that are no columns; a column with such a name is named otherwise. */
export const ROW_MEMBERS: ReadonlySet<string> = new Set([
	'_id',
	'_href',
	'_outcome',
	'_changes',
	'_error',
	'_reasons',
	'_report',
	'_stored',
	'_cursor',
	'_links',
	'_embedded',
	'_representation',
	// Lost when n8n copies a row.
	'__proto__',
	...MISREAD_BY_N8N,
]);

/** The key of a column, or its id if it has no key, which a service may write as an empty text. */
export const keyOf = ({ key, id }: Field) => key || id;

/** Appended to a key that a list of the editor stores, so that no name is taken for it. */
export const BY_KEY = '|key';

/** What a list stores, as messages show it. */
export const unmarked = (text: string) => (text.endsWith(BY_KEY) ? text.slice(0, -BY_KEY.length) : text);

/** Unique labels by field id: the name, with key or id appended if it is not unique. */
export function labelsOf(fields: readonly Field[]): Map<string, string> {
	return uniqueNames(fields, ({ name }) => name);
}

/** Unique texts by field id: `textOf`, with key or id appended if it is not unique. */
export function uniqueNames(fields: readonly Field[], textOf: (field: Field) => string): Map<string, string> {
	const counts = new Map<string, number>();
	for (const field of fields) counts.set(textOf(field), (counts.get(textOf(field)) ?? 0) + 1);
	const isUnique = (text: string) => !ROW_MEMBERS.has(text) && counts.get(text) === 1;
	const taken = new Set(fields.map(textOf).filter(isUnique));
	return new Map(
		fields.map((field) => {
			const text = textOf(field);
			if (isUnique(text)) return [field.id, text];
			const label = `${text} (${keyOf(field)})`;
			const free = taken.has(label) ? `${text} (${field.id})` : label;
			taken.add(free);
			return [field.id, free];
		}),
	);
}

/** Maximum size of the cache of `candidates`. */
const MAX_CACHED = 10_000;

/** Finds the columns of a grid by id, name, key, unique label or what a list stores. */
export class ColumnNames {
	/** The names of these fields, computed once per list. */
	static readonly of = oncePer((fields: readonly Field[]) => new ColumnNames(fields));
	readonly labels: ReadonlyMap<string, string>;
	private readonly byId: ReadonlyMap<string, Field>;
	private readonly byKey = new Map<string, Field[]>();
	private readonly byName = new Map<string, Field[]>();
	private readonly byKeyLabel: ReadonlyMap<string, Field>;
	/** Cache of `candidates`, because thousands of items have the same members. */
	private readonly found = new BoundedMap<string, readonly Field[]>(MAX_CACHED);

	private constructor(fields: readonly Field[]) {
		this.labels = labelsOf(fields);
		this.byId = new Map(fields.map((field) => [field.id, field]));
		for (const field of fields) addToGroup(this.byKey, keyOf(field), field);
		// Columns may be named by key in the output.
		const keyLabels = uniqueNames(fields, keyOf);
		this.byKeyLabel = new Map(fields.map((field) => [keyLabels.get(field.id) ?? field.id, field]));
		for (const field of fields)
			for (const name of new Set([field.name, this.labels.get(field.id) ?? field.name]))
				addToGroup(this.byName, name, field);
	}

	/** The column with this id, otherwise name, otherwise key. @throws InvalidInput if ambiguous */
	find(text: string): Field | undefined {
		const matches = this.findAsWritten(text);
		return matches ?? (unescaped(text) === text ? undefined : this.findAsWritten(unescaped(text)));
	}

	private findAsWritten(text: string): Field | undefined {
		const byId = this.byId.get(text);
		if (byId) return byId;
		if (text.endsWith(BY_KEY)) return this.keyed(unmarked(text));
		const [named] = this.only(this.byName.get(text) ?? [], `named "${text}"`);
		if (named) return named;
		return this.keyed(text) ?? this.byKeyLabel.get(text);
	}

	/** @throws InvalidInput if several columns have the key */
	private keyed(key: string): Field | undefined {
		return this.only(this.byKey.get(key) ?? [], `with the key "${key}"`)[0];
	}

	/** @throws InvalidInput if there are several */
	private only(matches: readonly Field[], what: string): readonly Field[] {
		if (matches.length < 2) return matches;
		const labels = matches.map(({ id }) => `"${this.labels.get(id) ?? id}"`);
		throw new InvalidInput(
			`The grid has ${matches.length} columns ${what}`,
			`Name one of them in full: ${labels.join(' or ')}.`,
		);
	}

	/**
	 * Every column that a text can refer to, starting with the result of `find`.
	 * @throws InvalidInput if several columns have the name or the key
	 */
	candidates(text: string): readonly Field[] {
		return this.found.of(text, () => {
			const named = this.allNamed(text);
			// A file may begin with a byte order mark (U+FEFF), which `trim` removes like blanks.
			const trimmed = named.length > 0 ? named : this.allNamed(text.trim());
			return trimmed.length > 0 ? trimmed : this.allWithHeader(headerName(text));
		});
	}

	/** The columns whose names a file has in this form. */
	private allWithHeader(header: string): Field[] {
		const ids = [...this.labels].flatMap(([id, label]) => (headerName(label) === header ? id : []));
		return ids.flatMap((id) => this.byId.get(id) ?? []);
	}

	private allNamed(text: string): Field[] {
		const byName = this.byName.get(text) ?? [];
		const byKey = this.byKey.get(text) ?? [];
		const all = [this.find(text), byName[0], ...byKey, this.byKeyLabel.get(text)];
		return [...new Set(all)].filter((field) => field !== undefined);
	}

	/** `find` for a required column. @param where label of the input @throws InvalidInput */
	get(text: string, where: string): Field {
		const field = this.find(text);
		if (field) return field;
		const names = [...this.labels.values()];
		throw new InvalidInput(
			`"${where}" refers to the column "${unmarked(text)}", which the grid does not have`,
			`Choose another column in "${where}". The grid has: ${names.slice(0, 30).join(', ') || 'no columns'}${names.length > 30 ? '…' : ''}.`,
		);
	}
}

/** @param where the input that lists the columns @throws InvalidInput if one is listed twice */
export function requireOnce(fields: readonly Field[], where: string): void {
	const twice = fields.find((field, at) => fields.indexOf(field) !== at);
	if (twice)
		throw new InvalidInput(`"${where}" contains the column "${twice.name}" twice`, 'Remove one of the two.');
}
