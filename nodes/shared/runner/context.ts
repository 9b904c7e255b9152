import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { BoundedMap, type Client, type Entity, type Field, type Linked, oncePer } from '../../../client';
import { showHint, type ShowHint } from '../display/hints';
import {
	columnNaming,
	outputColumns,
	simplify,
	toolFields,
	toolOutput,
} from '../inputs/output/outputOptions';
import type { Parameter, ReadParameter } from '../inputs/parameter';
import type { RawValue } from '../inputs/rawValues';
import { ColumnNames } from '../rows/columnNames';
import { namesOf, rawRow, representationRow, rowWriter, type RowWriter } from '../rows/output';

export type Row = object;
/** What an operation returns for one item: one row or a list of rows. */
export type Result = Row | Row[];

/** What an operation gets for one item if it needs no account. */
export interface AccountlessContext {
	item: INodeExecutionData;
	itemIndex: number;
	/** Reads an input of the operation for this item, wherever the operation shows it. */
	parameter: ReadParameter;
	/** Reads one of the operation's options for this item. */
	option: ReadParameter;
	/** The workflow's time zone, for moments without an offset. */
	timezone: string;
	/** Shows a sentence above the node's output. */
	hint: ShowHint;
	/** n8n's execution context, e.g. for files. */
	node: IExecuteFunctions;
	/** Calls a function when the node has run, whether or not it failed. */
	atEnd(work: () => void): void;
	/** A representation as a row, according to "Simplify". */
	represent(resource: Linked): Row;
	/** Output names of columns by field id, according to "Name Columns By". */
	columnNames(fields: readonly Field[]): ReadonlyMap<string, string>;
	/** Makes rows according to "Name Columns By" and "Output Columns". */
	rowWriter(fields: readonly Field[]): RowWriter;
	/** The same, or the entity as the service sent it, according to "Simplify". */
	entityWriter(fields: readonly Field[]): (entity: Entity) => Row;
}

/** What an operation gets for one item. */
export interface ItemContext extends AccountlessContext {
	client: Client;
}

/** What an operation that handles all items together gets. */
export interface ItemsContext extends Pick<AccountlessContext, 'hint' | 'node' | 'atEnd'> {
	client: Client;
	items: INodeExecutionData[];
	at(itemIndex: number): ItemContext;
}

export interface OperationInputs {
	/** All inputs in the order shown, the options last. */
	fields: ReadonlyArray<Parameter<unknown>>;
	/** Reads the options. */
	collection: Parameter<ReadParameter>;
	/** The single options, those of groups included. */
	options: ReadonlyArray<Parameter<unknown>>;
}

type Naming = Parameters<typeof namesOf>[1];
type Names = ReadonlyMap<string, string>;
/** Maximum number of namings, or of selections of columns, that the items of a run share. */
const MAX_NAMINGS = 1000;

/** Makes the contexts of an operation's items. */
export function contextsOf(
	node: IExecuteFunctions,
	{ fields, collection, options }: OperationInputs,
	{ raw, atEnd }: Pick<AccountlessContext, 'atEnd'> & { raw: RawValue },
): (itemIndex: number) => AccountlessContext {
	const items = node.getInputData();
	const timezone = node.getTimezone();
	const hint: ShowHint = (message, type) => {
		showHint(node, message, type);
	};
	const namesBy = oncePer<readonly Field[], BoundedMap<Naming, Names>>(() => new BoundedMap(MAX_NAMINGS));
	const writersBy = oncePer<readonly Field[], BoundedMap<string, RowWriter>>(
		() => new BoundedMap(MAX_NAMINGS),
	);
	const writerOf = (fields: readonly Field[], by: Naming, only: readonly string[]) =>
		writersBy(fields).of(JSON.stringify([by, only]), () => rowWriter(fields, { by, only, hint }));
	const isForTools = fields.includes(toolOutput);
	const fieldNames = new Set(fields.map(({ property }) => property.name));
	const optionNames = new Set(options.map(({ property }) => property.name));
	return (itemIndex) => {
		const field: ReadParameter = ({ property, read }) => read(raw(property, itemIndex));
		let readOption: ReadParameter | undefined;
		const option: ReadParameter = (of) => (readOption ??= field(collection))(of);
		const parameter: ReadParameter = (of) => (optionNames.has(of.property.name) ? option(of) : field(of));
		const ifDeclared = <Value>(of: Parameter<Value>, fallback: Value) =>
			optionNames.has(of.property.name) || fieldNames.has(of.property.name) ? parameter(of) : fallback;
		const output = () => (isForTools ? parameter(toolOutput) : 'simplified');
		const isSimple = () => ifDeclared(simplify, true) && output() !== 'raw';
		const onlyColumns = (of: readonly Field[]) => {
			if (output() !== 'selected') return ifDeclared(outputColumns, []);
			const columns = ColumnNames.of(of);
			return parameter(toolFields).map((name) => columns.get(name, toolFields.property.displayName).id);
		};
		const naming = () => ifDeclared(columnNaming, 'name');
		const represent = (resource: Linked) => representationRow(resource, isSimple());
		const rowWriterFor = (of: readonly Field[]) => writerOf(of, naming(), onlyColumns(of));
		return {
			item: items[itemIndex] ?? { json: {} },
			itemIndex,
			parameter,
			option,
			timezone,
			hint,
			node,
			atEnd,
			represent,
			columnNames: (of) => namesBy(of).of(naming(), () => namesOf(of, naming())),
			rowWriter: rowWriterFor,
			entityWriter: (of) => (isSimple() ? rowWriterFor(of) : rawRow),
		};
	};
}
