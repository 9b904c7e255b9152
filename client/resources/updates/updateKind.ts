/** `created`, `updated` or `deleted`; the service's own word for anything else. */
export type UpdateKind = string;

/**
 * Members that may contain the kind of change; `type` is last, because it may also be the type of
 * the resource (§2.1).
 */
const KIND_MEMBERS = [
	'event',
	'eventType',
	'action',
	'operation',
	'op',
	'changeType',
	'kind',
	'change',
	'type',
];

const KIND_BY_VERB = new Map(
	Object.entries({
		created:
			'create creates created creation creations insert inserts inserted insertion insertions add adds added addition additions new post',
		deleted:
			'delete deletes deleted deletion deletions remove removes removed removal removals destroy destroyed',
		updated:
			'update updates updated updating modify modifies modified modification modifications edit edits edited patch patched put restore restored',
	}).flatMap(([kind, verbs]) => verbs.split(' ').map((verb) => [verb, kind] as const)),
);
/** Words for any change: another verb is more specific. */
const CHANGE_WORDS = new Set(['change', 'changes', 'changed']);
const ROW_WORDS = new Set(
	'entity entities row rows record records entry entries item items event events data on was has been is'.split(
		' ',
	),
);
/** Words for values: a changed value is an update of its row; an added one would be a column. */
const VALUE_WORDS = new Set('field fields value values cell cells property properties'.split(' '));
const KIND_BY_LETTER = new Map([
	['c', 'created'],
	['i', 'created'],
	['u', 'updated'],
	['d', 'deleted'],
]);

/** Longer than any word for a kind. */
const MAX_KIND_LENGTH = 100;

interface Reading {
	/** As sent by the service, truncated. */
	text: string;
	/** Undefined if the word is unknown, or is only a type of resource. */
	kind?: UpdateKind | undefined;
	isVague: boolean;
	isUnknown: boolean;
}

/** Cache of interpreted words: thousands of entries share a few. */
const read = new Map<string, Reading>();
const MAX_WORDS_READ = 1000;

function readWord(given: string): Reading {
	const text = given.trim().slice(0, MAX_KIND_LENGTH);
	const known = read.get(text);
	if (known) return known;
	const reading = parseWord(text);
	if (read.size >= MAX_WORDS_READ) read.clear();
	read.set(text, reading);
	return reading;
}

/**
 * "ENTITY_CREATED", "entity.removed" and "rowAdded" are known kinds; "ColumnAdd" is not a change of
 * a row.
 */
function parseWord(text: string): Reading {
	const words = text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\d]+/u)
		.filter(Boolean);
	const letter = words.length === 1 ? KIND_BY_LETTER.get(words[0] ?? '') : undefined;
	if (letter) return { text, kind: letter, isVague: false, isUnknown: false };
	const kinds = new Set(words.flatMap((word) => KIND_BY_VERB.get(word) ?? []));
	const isVague = kinds.size === 0 && words.some((word) => CHANGE_WORDS.has(word));
	const rest = words.filter((word) => !KIND_BY_VERB.has(word) && !CHANGE_WORDS.has(word));
	const [kind = isVague ? 'updated' : undefined] = kinds;
	const isOfRow = rest.every((word) => ROW_WORDS.has(word) || (kind === 'updated' && VALUE_WORDS.has(word)));
	const isUnknown = words.length > 0 && (!isOfRow || kinds.size > 1);
	return { text, kind: isUnknown ? undefined : kind, isVague, isUnknown };
}

function readingsOf(raw: Record<string, unknown>): Reading[] {
	const readings: Reading[] = [];
	for (const name of KIND_MEMBERS) {
		const text = raw[name];
		if (typeof text === 'string' && text !== '') readings.push(readWord(text));
	}
	return readings;
}

/**
 * What an entry says that happened; undefined if it does not say.
 * @param isRow a row may have a column "type" or "action": only words such as "created" count there
 */
export function statedKind(raw: Record<string, unknown>, isRow: boolean): UpdateKind | undefined {
	const readings = readingsOf(raw).filter(({ text }) => !isRow || /ed$/i.test(text));
	const known = readings.filter(({ kind }) => kind !== undefined);
	const exact = known.find(({ isVague }) => !isVague);
	if (exact) return exact.kind;
	const own = isRow ? undefined : readings.find(({ isUnknown }) => isUnknown);
	if (own) return own.text;
	if (known[0]) return known[0].kind;
	const isDeleted = raw.deleted === true || raw._deleted === true || typeof raw.deletedAt === 'string';
	return isDeleted ? 'deleted' : undefined;
}

/** The kind that a word means; undefined if it is unknown or ambiguous. */
export function kindOfWord(word: string): UpdateKind | undefined {
	const { kind, isVague } = readWord(word);
	return isVague ? undefined : kind;
}

/** Whether an object contains a known word for a kind of change. */
export function hasKindOfChange(raw: Record<string, unknown>): boolean {
	return readingsOf(raw).some(({ kind }) => kind !== undefined);
}
