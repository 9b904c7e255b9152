import {
	NodeApiError,
	NodeOperationError,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';
import { MISREAD_BY_N8N } from '../rows/columnNames';

/** A row of output with files beside its values. */
export class RowWithFiles {
	constructor(
		readonly row: object,
		readonly files: IBinaryKeyData,
	) {}
}

/** A row of which something failed: it is put out with its values and, where n8n lets it, with the message under `error`. */
export class FailedRow {
	constructor(
		readonly row: object,
		readonly error: NodeApiError | NodeOperationError,
	) {}
}

/** Where an item is put out. */
export interface ItemPlace {
	itemIndex: number;
	/** Whether it is the first item of the output, and the node has Retry On Fail: n8n then runs all items again if it has `json.error`. */
	decidesOnRetry: boolean;
	hint(message: string): void;
}

/** A row as an item of n8n's, paired with the item it came from. */
export function outputItem(row: object, place: ItemPlace): INodeExecutionData {
	const pairedItem = { item: place.itemIndex };
	if (row instanceof RowWithFiles) return { json: asJson(row.row, place), binary: row.files, pairedItem };
	if (!(row instanceof FailedRow)) return { json: asJson(row, place), pairedItem };
	if (place.decidesOnRetry) return failedItem(row.error, place);
	return { json: { ...asJson(row.row, place), error: row.error.message }, pairedItem };
}

/**
 * What stands in the output for an item that failed. The engine sends it to the error branch together with the input's values.
 * Where it would run all items again, healthy ones too, the error stands beside the JSON: the engine puts it there afterwards, at the
 * price of the input's values in that one item.
 */
export function failedItem(error: Error, { itemIndex, decidesOnRetry }: ItemPlace): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (decidesOnRetry && (error instanceof NodeApiError || error instanceof NodeOperationError))
		return { json: {}, error, pairedItem };
	return { json: { error: error.message }, pairedItem };
}

/**
 * Rows are JSON from the service or made by an operation; n8n's type for that cannot be inferred from `unknown` values. A member that
 * the engine would take for the sign of a failure gets another name.
 */
function asJson(row: object, { hint }: ItemPlace): IDataObject {
	const names = Object.keys(row);
	if (!names.some((name) => MISREAD_BY_N8N.has(name))) return row as IDataObject;
	const taken = new Set(names);
	const safe = (name: string): string => {
		if (!MISREAD_BY_N8N.has(name)) return name;
		let other = `${name} (value)`;
		while (taken.has(other)) other += '*';
		hint(`"${name}" is output as "${other}": n8n takes an item with that member for a failed one.`);
		return other;
	};
	return Object.fromEntries(Object.entries(row).map(([name, value]) => [safe(name), value])) as IDataObject;
}
