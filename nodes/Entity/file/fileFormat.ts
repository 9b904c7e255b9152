import { choice } from '../../shared/inputs/choice';

export const fileFormat = choice(
	'fileFormat',
	'File Format',
	{
		csv: { name: 'CSV', description: 'One line per row; the first line names the columns' },
		ndjson: { name: 'NDJSON', description: 'One JSON object per line, which keeps the types of values' },
	},
	{ default: 'csv', description: 'The format of the file' },
);

export type FileFormat = 'csv' | 'ndjson';

export const FILE_TYPES: Readonly<Record<FileFormat, { extension: string; type: string }>> = {
	csv: { extension: 'csv', type: 'text/csv' },
	ndjson: { extension: 'ndjson', type: 'application/x-ndjson' },
};

const SIGNS = { bar: 'Bar', comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab' } as const;

/** The character that separates the cells of a CSV file to write. */
export const writtenDelimiter = choice('delimiter', 'Delimiter', SIGNS, {
	default: 'comma',
	description:
		'The character between the cells. Excel expects a semicolon where the decimal separator is a comma, as in most of Europe.',
});

/** The character that separates the cells of a CSV file to read. */
export const delimiter = choice(
	'delimiter',
	'Delimiter',
	{
		automatic: {
			name: 'Automatic',
			description: 'The most frequent one of the first line, or the one of a line such as sep=;',
		},
		...SIGNS,
	},
	{ default: 'automatic', description: 'The character between the cells of a CSV file' },
);

/** Undefined to detect it. */
export const DELIMITERS = {
	automatic: undefined,
	bar: '|',
	comma: ',',
	semicolon: ';',
	tab: '\t',
} as const;
