import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { InvalidInput } from '../../client/errors';

/** An input of an operation: what n8n shows, and how its value is read. `read` throws InvalidInput for a value that cannot be used. */
export interface Parameter<Value> {
	property: INodeProperties;
	read(raw: unknown): Value;
}

/** An input whose value a schema describes: an expression may yield anything, so nothing is taken on trust. */
export function parameter<Schema extends z.ZodType>(
	property: INodeProperties,
	schema: Schema,
): Parameter<z.infer<Schema>> {
	return {
		property,
		read(raw) {
			const parsed = schema.safeParse(raw);
			if (parsed.success) return parsed.data;
			const issue = parsed.error.issues[0];
			const where = issue && issue.path.length > 0 ? ` (${issue.path.join(' → ')})` : '';
			throw new InvalidInput(
				`"${property.displayName}"${where} cannot be used: ${issue?.message ?? 'it is not valid'}`,
				`It holds ${shown(raw)}. Enter a value, or check the expression that makes it.`,
			);
		},
	};
}

/** A value as a person can recognise it, cut short. */
export function shown(value: unknown): string {
	if (value === undefined) return 'nothing (undefined)';
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
