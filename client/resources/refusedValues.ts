import { BadRequest } from '../errors';

/** Awaits a write. If a value is refused, the error has the field's name instead of its id. */
export function withFieldNames<Value>(
	fields: ReadonlyArray<{ id: string; name: string }> | undefined,
	pending: Promise<Value>,
): Promise<Value> {
	return pending.catch((error: unknown) => Promise.reject(named(error, fields ?? [])));
}

/** Only ids in quotation marks are replaced: others may be words of the sentence. */
function named(error: unknown, fields: ReadonlyArray<{ id: string; name: string }>): unknown {
	if (!(error instanceof BadRequest)) return error;
	const { serviceMessage } = error.facts;
	if (serviceMessage === undefined) return error;
	const names = new Map(fields.map(({ id, name }) => [id, name]));
	const words = serviceMessage.replace(/"([^"]+)"/g, (quoted, id: string) => {
		const name = names.get(id);
		return name === undefined ? quoted : `"${name}"`;
	});
	return new BadRequest({ ...error.facts, serviceMessage: words });
}
