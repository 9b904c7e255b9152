import { z } from 'zod/v4';
import { FORMATS, type DateFormat, type NumberFormat } from '../rows/textFormats';
import { choice } from './choice';
import { parameter } from './parameter';

const automatic = {
	name: 'Automatic',
	description: 'As the values of the file tell; texts of items as programs write them',
};

const numberFormat = choice<'automatic' | NumberFormat>(
	'number',
	'Number Format',
	{ automatic, point: FORMATS.point, comma: FORMATS.comma },
	{ default: 'automatic', description: 'How texts write numbers' },
);

const dateFormat = choice<'automatic' | DateFormat>(
	'date',
	'Date Format',
	{ automatic, dayFirst: '31/12/2026, 31.12.2026', monthFirst: '12/31/2026' },
	{ default: 'automatic', description: 'How texts write dates, besides 2026-12-31' },
);

/** Undefined for a format that is not chosen. */
const chosen = <Format extends string>(schema: z.ZodType<Format | 'automatic'>) =>
	schema.default('automatic').transform((format) => (format === 'automatic' ? undefined : format));

/** How texts write numbers and dates. */
export const formats = parameter(
	{
		displayName: 'Formats',
		name: 'formats',
		type: 'fixedCollection',
		placeholder: 'Choose formats',
		default: {},
		description:
			'How texts write numbers and dates, such as 1.234,50 and 31.12.2026. A file is read as its values tell; what could mean two things is refused until you choose.',
		options: [
			{ displayName: 'Format', name: 'format', values: [numberFormat.property, dateFormat.property] },
		],
	},
	z
		.looseObject({
			format: z
				.looseObject({ number: chosen(numberFormat.schema), date: chosen(dateFormat.schema) })
				.optional(),
		})
		.nullish()
		.transform((given) => ({ number: given?.format?.number, date: given?.format?.date })),
);

/** What a reader of a file is told. @param guessed examples of the formats */
export const guessedFormats = (guessed: readonly string[]) =>
	`The file was read with numbers and dates such as ${guessed.join(' and ')}, as its values tell. If that is wrong, choose "Formats" under Options.`;
