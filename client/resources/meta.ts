import { z } from 'zod/v4';
import { jsonObject, recordOf } from '../formats/json';
import { endpoints } from '../endpoints/endpoints';
import type { Session } from '../session/session';

const named = z.looseObject({ name: z.string().min(1) });

/**
 * §4.1 says "field type names plus their schema" without a shape: accepts a list of names, a list
 * of objects, or an object keyed by name.
 */
const typesSchema = z.union([
	z.array(z.union([named, z.string().transform((name) => ({ name }))])),
	jsonObject.transform((byName) => Object.entries(byName).map(([name, schema]) => ({ name, schema }))),
]);

/** §2.9: one sample definition for each type, keyed by its name. */
const blocksSchema = recordOf(jsonObject).transform((byName) =>
	Object.entries(byName).map(([name, block]) => ({ name, ...block })),
);

/** Information about the service that needs no credentials (§4.1). */
export class Meta {
	constructor(private readonly session: Session) {}

	/** The version of the service, e.g. `2.4.1348` (§9). */
	async version(): Promise<string> {
		return await this.session.fetch(z.string(), endpoints.version, {});
	}

	/** The types that a column can have, each with its `name` and further members. */
	async fieldTypes(): Promise<z.infer<typeof typesSchema>> {
		return await this.session.fetch(typesSchema, endpoints.fieldTypes, {});
	}

	/** The types of blocks and form inputs, each with its `name` and its sample definition (§2.9). */
	async blockTypes(): Promise<z.infer<typeof blocksSchema>> {
		return await this.session.fetch(blocksSchema, endpoints.blockTypes, {});
	}

	/** The names of the types of flow nodes (§2.9). */
	async flowNodeTypes(): Promise<string[]> {
		return await this.session.fetch(z.array(z.string()), endpoints.flowNodeTypes, {});
	}
}
