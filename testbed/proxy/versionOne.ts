import { z } from 'zod/v4';
import type { Rewriting } from './rewriting';

const responseSchema = z.looseObject({ properties: z.record(z.string(), z.looseObject({})) });

/**
 * A service without version 2 of the representation (§9): grids have no fields, and the schema of
 * their entities is plain JSON schema, without extensions.
 */
export const versionOne: Rewriting = {
	accept: 'application/vnd.service.hal',
	response({ path, status, body }) {
		if (!/\/schema(\?|$)/.test(path) || status !== 200) return {};
		const parsed: unknown = JSON.parse(body);
		const schema = responseSchema.parse(parsed);
		const plain = Object.entries(schema.properties).map(([id, property]): [string, object] => [
			id,
			Object.fromEntries(Object.entries(property).filter(([name]) => !name.startsWith('x-'))),
		]);
		return { body: JSON.stringify({ ...schema, properties: Object.fromEntries(plain) }) };
	},
};
