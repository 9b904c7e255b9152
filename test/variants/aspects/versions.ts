import { aspect, type Settings } from '../aspect';
import {
	eachObject,
	isJsonObject,
	withJson,
	without,
	type Json,
	type JsonObject,
	type Step,
} from '../exchange';

/**
 * §9: without version 2 a grid has no fields, and their definitions come from the schema endpoint.
 */
export const versions = aspect({
	version: [2, 1],
	nullability: ['anyOf', 'oneOf', 'type list', '$ref'],
});
type Versions = Settings<typeof versions.dials>;

/** The schema of one field's value, in the dialect. */
function propertyOf(property: JsonObject, { nullability }: Versions): Json {
	const { anyOf, ...about } = property;
	if (!Array.isArray(anyOf)) return property;
	const own = anyOf.find((one) => isJsonObject(one) && one['type'] !== 'null');
	if (!isJsonObject(own)) return { ...about, anyOf };
	switch (nullability) {
		case 'anyOf':
			return { ...about, anyOf };
		case 'oneOf':
			return { ...about, oneOf: [{ type: 'null' }, own] };
		case 'type list':
			return typeof own['type'] === 'string'
				? {
						...about,
						...own,
						...(own['enum'] ? { enum: [...list(own['enum']), null] } : {}),
						type: ['null', own['type']],
					}
				: { ...about, anyOf };
		case '$ref':
			return { ...about, anyOf: [{ $ref: '#/$defs/value' }, { type: 'null' }], $defs: { value: own } };
	}
}

const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);

function schemaOf(schema: Json, settings: Versions): Json {
	if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return schema;
	const { properties, ...rest } = schema;
	const definitions: JsonObject = {};
	const shown = Object.entries(properties).map(([id, property], index): [string, Json] => {
		const changed = isJsonObject(property) ? propertyOf(property, settings) : property;
		if (!isJsonObject(changed) || !isJsonObject(changed['$defs'])) return [id, changed];
		// Definitions stand at the top, where references begin.
		const { $defs, ...own } = changed;
		definitions[`value${index}`] = $defs['value'] ?? {};
		return [id, eachObject(own, (object) => (object['$ref'] ? { $ref: `#/$defs/value${index}` } : object))];
	});
	return {
		...rest,
		properties: Object.fromEntries(shown),
		...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
	};
}

export function versionsStep(settings: Versions): Step {
	return {
		response(response, { endpoint }) {
			if (endpoint === 'schema' || endpoint === 'statefulViewSchema')
				return withJson(response, (schema) => schemaOf(schema, settings));
			if (endpoint !== 'grid' || settings.version === 2) return response;
			return withJson(response, (grid) => (isJsonObject(grid) ? without(grid, 'fields') : grid));
		},
	};
}
