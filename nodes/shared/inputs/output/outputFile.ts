import { z } from 'zod/v4';
import { MAX_NAME_LENGTH } from './fileName';
import { parameter, requiredText, type Parameter, type Shown, textInput, toggle } from '../parameter';

const TOO_LONG = `it is longer than ${MAX_NAME_LENGTH} characters`;

const fieldName = requiredText('it is empty').refine(({ length }) => length <= MAX_NAME_LENGTH, TOO_LONG);

/** An input for the name of a field of an item. */
export const fieldInput = (labels: Shown & { default: string }): Parameter<string> =>
	parameter({ ...labels, type: 'string', required: true, placeholder: `e.g. ${labels.default}` }, fieldName);

export const outputBinaryField = fieldInput({
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The binary field of the output item to write the file to',
});

/** An input for the name of the binary field of the input item. */
export const inputField = (labels: Pick<Shown, 'hint' | 'description'>): Parameter<string> =>
	fieldInput({
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		default: 'data',
		...labels,
	});

export const fileName = textInput(
	{
		displayName: 'File Name',
		name: 'fileName',
		placeholder: 'e.g. orders.csv',
		description: 'The name of the file. If empty, it is named after the grid or view.',
	},
	z.string('it is not a text').trim().max(MAX_NAME_LENGTH, TOO_LONG),
);

/** Whether to make a CSV file safe to open in a spreadsheet. */
export const escapeFormulas = toggle(
	{
		displayName: 'Escape Formulas',
		name: 'escapeFormulas',
		description:
			'Whether to put an apostrophe before texts that a spreadsheet would run as a formula: those that start with =, @, a tab or a line break, or with + or - unless they are numbers. If off, the texts stay unchanged.',
	},
	true,
);

/** The same option for a file that is read. */
export const unescapeFormulas = {
	...escapeFormulas,
	property: {
		...escapeFormulas.property,
		description:
			'Whether cells lose the apostrophe that Export puts before texts that a spreadsheet would run as a formula. If off, all texts stay unchanged.',
	},
};

/** Says how many cells lost their apostrophe. */
export function restoredFormulas(count: number): string {
	const cells = count === 1 ? '1 cell' : `${count} cells`;
	return `${cells} of the file lost the apostrophe that Export puts before formulas ("${escapeFormulas.property.displayName}").`;
}
