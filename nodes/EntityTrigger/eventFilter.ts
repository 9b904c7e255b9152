import { type Field, InvalidInput, optionValue, type Update } from '../../client';
import { ColumnNames, unmarked } from '../shared/rows/columnNames';
import { optionNamed, quotedList, unknownOptions } from '../shared/rows/columnOptions';
import { sameValue } from '../shared/rows/equality';
import { OWN_USER } from '../shared/inputs/users';
import type { Settings } from './settings';

/** The settings that decide which events start the workflow. */
export type FilterSettings = Pick<Settings, 'kinds' | 'watched' | 'becomes' | 'ignoredUsers'>;

/** Decides which changes start the workflow. */
export class EventFilter {
	private fields: readonly Field[] = [];
	private watched: readonly Field[] = [];
	private becomes: { field: Field; values: string[]; from: string[] } | undefined;
	private readonly ignored: ReadonlySet<string>;
	/** Whether a change did not say who made it, although that must be known. */
	lacksUser = false;

	/**
	 * @param userId of the credential; only for settings that name `OWN_USER`
	 * @throws InvalidInput if the grid lacks a column that the settings name
	 */
	constructor(
		private readonly settings: FilterSettings,
		fields: readonly Field[],
		userId: string | undefined,
	) {
		this.use(fields);
		this.ignored = new Set(settings.ignoredUsers.map((id) => (id === OWN_USER ? (userId ?? '') : id)));
	}

	/** Uses the columns as they are now. @throws InvalidInput like the constructor */
	use(fields: readonly Field[]): void {
		const { becomes, watched } = this.settings;
		this.fields = fields;
		this.watched = watched.map((name) => columnOf(fields, name, 'Watched Columns'));
		const field = becomes && columnOf(fields, becomes.column, 'Column Becomes');
		this.becomes = field && {
			field,
			values: optionsIn(field, becomes.values, 'Gets One Of'),
			from: optionsIn(field, becomes.from, 'Only From'),
		};
	}

	/** Whether a change names a column that was perhaps added or renamed since the last `use`. */
	isOutdatedFor({ changes }: Update): boolean {
		if (this.watched.length === 0 && this.becomes === undefined) return false;
		return changes.some(({ field }) => !this.knows(field));
	}

	accepts(update: Update): boolean {
		return this.rejecting(update) === undefined;
	}

	/** The label of the input that leaves out a change; undefined if it starts the workflow. */
	rejecting(update: Update): string | undefined {
		const { kind } = update;
		if (!this.settings.kinds.has(kind)) return 'Events';
		if (this.isIgnored(update)) return 'Ignore Changes By';
		if (kind === 'updated' && !this.isWatched(update)) return 'Watched Columns';
		const isWanted = kind === 'created' ? this.isNewWithValue(update) : this.hasBecome(update);
		return isWanted ? undefined : 'Column Becomes';
	}

	/** Whether Wait Until Quiet holds a change: not what the trigger ignores. */
	holds(update: Update): boolean {
		return update.kind !== 'structure' && !this.isIgnored(update);
	}

	private isIgnored({ changedBy }: Update): boolean {
		if (this.ignored.size === 0) return false;
		this.lacksUser ||= changedBy === undefined;
		return changedBy !== undefined && this.ignored.has(changedBy);
	}

	/** Without changed columns in the feed, updates cannot be filtered by column. */
	private isWatched({ changes }: Update): boolean {
		const { watched } = this;
		if (watched.length === 0 || changes.length === 0) return true;
		// An unknown name may be the former name of a watched column.
		return changes.some(
			({ field }) => watched.some((column) => isNamed(column, field)) || !this.knows(field),
		);
	}

	private knows(name: string): boolean {
		return this.fields.some((field) => isNamed(field, name));
	}

	private isNewWithValue(update: Update): boolean {
		const { becomes: settings } = this.settings;
		if (!this.becomes || !settings) return true;
		if (!settings.includeNewRows) return false;
		const { field, values } = this.becomes;
		const change = changeOf(update, field);
		// The feed shows the row as it is by now: a column that the creation does not name was empty.
		if (!change && update.changes.length > 0) return isOneOf(field, null, values);
		const value = valueAfter(update, field);
		return value === undefined
			? (change !== undefined || !update.entity) && this.ifUnknown
			: isOneOf(field, value, values);
	}

	private hasBecome(update: Update): boolean {
		if (!this.becomes || update.kind !== 'updated') return true;
		const { field, values, from } = this.becomes;
		const change = changeOf(update, field);
		if (!change && update.changes.length > 0) return false;
		const value = valueAfter(update, field);
		if (value === undefined) return this.ifUnknown;
		if (!isOneOf(field, value, values)) return false;
		if (!change || change.old === undefined) return this.ifUnknown;
		return !isOneOf(field, change.old, values) && (from.length === 0 || isOneOf(field, change.old, from));
	}

	private get ifUnknown(): boolean {
		return this.settings.becomes?.ifUnknown === 'emit';
	}
}

const isNamed = ({ id, key, name }: Field, text: string) => text === id || text === key || text === name;

/** @throws InvalidInput if the grid has no such column */
function columnOf(fields: readonly Field[], name: string, option: string): Field {
	const field = ColumnNames.of(fields).find(name);
	if (field) return field;
	throw new InvalidInput(
		`The grid has no column "${unmarked(name)}", which "${option}" names`,
		'It may have been deleted. Choose another column, or remove the option. No event is lost meanwhile.',
	);
}

/** The values of options. @throws InvalidInput if the column has no such option */
function optionsIn(field: Field, values: readonly string[], label: string): string[] {
	const { options } = field.type;
	const unknown = options ? unknownOptions(field, values.filter(Boolean)) : [];
	if (unknown.length === 0) return values.map((value) => optionValue(optionNamed(field, value) ?? value));
	throw new InvalidInput(
		`"${label}" of "Column Becomes" names what is no option of "${field.name}": ${quotedList(unknown)}`,
		`Choose from ${quotedList((options ?? []).map(({ name }) => name))}. No event is lost meanwhile.`,
	);
}

const changeOf = ({ changes }: Update, field: Field) => changes.find((one) => isNamed(field, one.field));

/** The value after a change; that of the row if the feed does not name the value. */
function valueAfter(update: Update, field: Field): unknown {
	const change = changeOf(update, field);
	if (change && change.new !== undefined) return change.new;
	const { id, key, name } = field;
	const { entity } = update;
	const member = entity && [id, key, name].find((one) => one && Object.hasOwn(entity, one));
	return member ? entity?.[member] : undefined;
}

/** Whether a value, or an element of a list, is one of some values. */
const isOneOf = (field: Field, value: unknown, values: readonly string[]): boolean =>
	values.some((wanted) =>
		Array.isArray(value)
			? value.some((element) => sameValue(field, element, wanted) || String(element) === wanted)
			: sameValue(field, value, wanted) || (value ?? '') === wanted || String(value) === wanted,
	);
