import { z } from 'zod/v4';
import { type Entity, type Field, ownMember, parseJson } from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { parameter, type Parameter, toggle } from '../../shared/inputs/parameter';
import { ColumnNames } from '../../shared/rows/columnNames';
import { sameValue } from '../../shared/rows/equality';

const expectedValue = z.looseObject({
	fieldId: z.string().optional(),
	/** Name, key or id of the column, if its id is not given. */
	field: z.string().min(1),
	old: z.unknown(),
});
/** A value that a row had when its change was planned. */
export type ExpectedValue = z.infer<typeof expectedValue>;

const changes = z.array(
	expectedValue,
	'it is not the _changes of a row that a dry run or a write has returned',
);

const expected = parameter(
	{
		displayName: 'Only If Unchanged',
		name: 'onlyIfUnchanged',
		type: 'string',
		default: '={{ $json._changes }}',
		description:
			'The _changes of a dry run. A row that no longer holds the old values in them is not written; its outcome is "conflict". Add it when time passes between plan and write, e.g. while a person approves. Takes one request more per row.',
	},
	z
		.unknown()
		.transform((raw) => {
			const json = typeof raw === 'string' ? parseJson(raw) : { value: raw };
			return 'value' in json ? json.value : raw;
		})
		.pipe(changes),
);

/** The values that a row must still hold; undefined if the option was not added. */
export const onlyIfUnchanged: Parameter<ExpectedValue[] | undefined> = {
	property: expected.property,
	// The value of an option that was not added is the unevaluated default.
	read: (raw) => (raw === expected.property.default ? undefined : expected.read(raw)),
};

/** Whether to read each row before it is written, to output what it held. */
export const keepOldValues = toggle({
	displayName: 'Keep Old Values',
	name: 'keepOldValues',
	description:
		'Whether to output in _changes what each row held before, as a dry run does; a deleted row is output whole. Add it to undo a run or to keep a record. Takes one more request per row; none with Key Columns.',
});

/**
 * Why a row is not written: the values that it no longer holds.
 * @param names of the columns in the output, by id: those of the plan, if it named them alike
 * @throws InvalidInput
 */
export function conflictsOf(
	values: readonly ExpectedValue[],
	{ fields, names }: { fields: readonly Field[]; names: ReadonlyMap<string, string> },
	entity: Entity,
): string[] {
	return values.flatMap(({ fieldId, field: name, old }) => {
		const field =
			fields.find(({ id }) => (fieldId === undefined ? names.get(id) === name : id === fieldId)) ??
			ColumnNames.of(fields).get(name, onlyIfUnchanged.property.displayName);
		const present = ownMember(entity, field.id) ?? null;
		if (sameValue(field, present, old ?? null)) return [];
		return [`"${field.name}" is ${valueText(present)}, and was ${valueText(old ?? null)}`];
	});
}
