import { choice } from '../../shared/inputs/choice';

/** The format of a file with rows. */
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

/** The character that separates the cells of a CSV file. */
export const delimiter = choice(
	'delimiter',
	'Delimiter',
	{
		automatic: {
			name: 'Automatic',
			description: 'The most frequent one of the first line, or the one of a line such as sep=;',
		},
		bar: 'Bar',
		comma: 'Comma',
		semicolon: 'Semicolon',
		tab: 'Tab',
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
