import { ColumnNames } from '../../shared/rows/columnNames';
import type { Field } from '../../../client';
import { jsonInput } from '../../shared/inputs/json';
import { withoutUndefined } from '../../shared/rows/output';
import { collection, requiredText, textInput } from '../../shared/inputs/parameter';

/** Option for a type whose name is entered: §1 only gives examples of types. */
export const OTHER_TYPE = 'otherType';

export const TYPES = {
	kanban: { name: 'Board', description: 'Rows as cards, in a lane for each option of a choice column' },
	calendar: { name: 'Calendar', description: 'Rows on the day in a date column' },
	[OTHER_TYPE]: { name: 'Other', description: 'Another type of the service: enter its name' },
} as const;

export const otherTypeName = textInput(
	{
		displayName: 'Type Name',
		name: 'otherTypeName',
		displayOptions: { show: { type: [OTHER_TYPE] } },
		placeholder: 'e.g. timeline',
		description: 'The name of the type in the service',
	},
	requiredText('a type is needed'),
);

/** What is shown on a card (§2.8). */
export const slotProperties = jsonInput({
	displayName: 'Parts of a Card (JSON)',
	name: 'slotProperties',
	placeholder: 'e.g. { "title": "f1" }',
	description: 'A JSON object that assigns columns to the parts of a card (slotProperties)',
});

/** Further settings (§2.8). */
export const properties = jsonInput({
	displayName: 'Properties (JSON)',
	name: 'properties',
	placeholder: 'e.g. { "color": "f1" }',
	description: 'A JSON object with further settings; the name and the column are added to it',
});

/**
 * Settings of a presentation (§2.8), whose members the specification leaves open. JSON members
 * take the place of present ones as a whole.
 */
export const furtherSettings = collection(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add property',
		description: 'Settings of the presentation, which depend on its type',
	},
	[slotProperties, properties],
);

/** The members of `properties` for a name and a column, by which a board or calendar is shown. */
export function shownBy(name: string | undefined, column: string | undefined, fields: readonly Field[]) {
	const fieldId = column === undefined ? undefined : ColumnNames.of(fields).get(column, 'Column').id;
	return withoutUndefined({ name, fieldId });
}
