import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client, Entity, Field, Linked, UnstableRead } from '../../../client';
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
import { listItems, namesOf, rawRow, representationRow, rowWriter, type RowWriter } from '../rows/output';

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
	/**
	 * A list of representations as rows; shows a hint if the list kept changing while it was read.
	 */
	representAll(found: { items: Linked[]; unstable?: UnstableRead }): Row[];
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
	/** The context of one item. */
	at(itemIndex: number): ItemContext;
}

/** The inputs of an operation. */
export interface OperationInputs {
	/** All inputs in the order shown, the options last. */
	fields: ReadonlyArray<Parameter<unknown>>;
	/** Reads the options. */
	collection: Parameter<ReadParameter>;
	/** The single options. */
	options: ReadonlyArray<Parameter<unknown>>;
}

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
	const writers = new Writers(hint);
	const names = new Names();
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
		const rowWriterFor = (of: readonly Field[]) => writers.of(of, naming(), onlyColumns(of));
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
			representAll: (found) => listItems(found, hint).map(represent),
			columnNames: (of) => names.of(of, naming()),
			rowWriter: rowWriterFor,
			entityWriter: (of) => (isSimple() ? rowWriterFor(of) : rawRow),
		};
	};
}

/** Output names of columns, computed once for all items that share columns and naming. */
class Names {
	private readonly known = new WeakMap<readonly Field[], Map<string, ReadonlyMap<string, string>>>();

	of(fields: readonly Field[], by: Parameters<typeof namesOf>[1]): ReadonlyMap<string, string> {
		const ofFields = this.known.get(fields) ?? new Map<string, ReadonlyMap<string, string>>();
		this.known.set(fields, ofFields);
		const names = ofFields.get(by) ?? namesOf(fields, by);
		ofFields.set(by, names);
		return names;
	}
}

/** Row writers, created once for all items that share columns and settings. */
class Writers {
	private readonly known = new WeakMap<readonly Field[], Map<string, RowWriter>>();

	constructor(private readonly hint: ShowHint) {}

	/** @throws InvalidInput if `only` names an unknown column */
	of(fields: readonly Field[], by: Parameters<typeof namesOf>[1], only: readonly string[]): RowWriter {
		const ofFields = this.known.get(fields) ?? new Map<string, RowWriter>();
		this.known.set(fields, ofFields);
		const key = only.length === 0 ? by : JSON.stringify([by, only]);
		const writer = ofFields.get(key) ?? rowWriter(fields, { by, only, hint: this.hint });
		ofFields.set(key, writer);
		return writer;
	}
}
