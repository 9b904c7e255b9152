import { choice } from '../choice';
import { columnsOption } from '../options';
import { type ReadParameter, toggle } from '../parameter';

/** How the columns of an output row are named. */
export const columnNaming = choice(
	'columnNaming',
	'Name Columns By',
	{
		id: { name: 'ID', description: 'Never changes, but is hard to read' },
		key: { name: 'Key', description: 'The key for integrations, or the ID if a column has no key' },
		name: { name: 'Name', description: 'As shown in the grid; changes when a column is renamed' },
	},
	{
		default: 'name',
		description:
			'How to name the columns in the output. A column named "error" is output as "error (key)", because n8n treats an item with a field "error" as failed.',
	},
);

/** Columns in the output; empty for all. */
export const outputColumns = columnsOption({
	displayName: 'Output Columns',
	name: 'outputColumns',
	description: 'The columns to output, besides the ID of the row. Leave empty for all columns.',
});

/** Whether a simplified row of a write is read back. */
export const readRowsBack = toggle({
	displayName: 'Read Rows Back',
	name: 'readRowsBack',
	description:
		'Whether to output each created row as stored by the service, with all its columns. Takes one more request per row.',
});

/** Whether to return simplified rows or the service's own JSON. */
export const simplify = toggle(
	{
		displayName: 'Simplify',
		name: 'simplify',
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	true,
);

const isTool = { '@tool': [true] };
/** What an AI agent gets of each row. A tool should return little data. */
export const toolOutput = choice(
	'output',
	'Output',
	{
		raw: { name: 'Raw', description: 'The row as the service sends it, with its links' },
		selected: { name: 'Selected Fields', description: 'The ID of the row and the columns you choose' },
		simplified: { name: 'Simplified', description: 'The columns of the row by name' },
	},
	{
		default: 'simplified',
		displayOptions: { show: isTool },
		description:
			'What the agent gets of each row. Less data is cheaper and easier for a model to understand.',
	},
);

const selectedFields = columnsOption({
	displayName: 'Fields',
	name: 'outputFields',
	description: 'The columns that the agent gets, besides the ID of the row',
});

/** Whether rows are simplified, for operations with `rowOutput`. */
export const isSimplified = (parameterOf: ReadParameter) =>
	parameterOf(simplify) && parameterOf(toolOutput) !== 'raw';

/** The columns to output for `selected`. */
export const toolFields = {
	...selectedFields,
	property: {
		...selectedFields.property,
		displayOptions: { show: { ...isTool, output: ['selected'] } },
	},
};

/** What an agent gets of a row; shown only in a tool. */
export const rowOutput = [toolOutput, toolFields];

/** The option "Simplify" of an operation with `rowOutput`. */
export const simplifyRows = {
	...simplify,
	property: { ...simplify.property, displayOptions: { hide: { '/output': ['raw', 'selected'] } } },
};
