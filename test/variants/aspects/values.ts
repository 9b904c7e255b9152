import { aspect, type Settings } from '../aspect';
import {
	eachObject,
	isJsonObject,
	withJson,
	type EndpointName,
	type Json,
	type JsonObject,
	type Step,
} from '../exchange';

/** §2.5 gives types their names; how a value is kept is not said. */
export const values = aspect({
	emptyText: ['kept', 'unset'],
	moments: ['normal', 'as they came'],
	types: ['documented', 'more names'],
});

/**
 * A column of texts that this layer shows as one of
 * moments: what the service keeps is the text that came.
 */
export const MOMENT_AS_TEXT: JsonObject = { name: 'string', shownAs: 'date-time' };
const MOMENT: JsonObject = { name: 'date-time' };
const MOMENT_SCHEMA: JsonObject = { type: 'string', format: 'date-time' };

const WRITES: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>([
	'addEntity',
	'putEntity',
	'updateEntity',
	'submitForm',
	'submitPublicForm',
]);

const unset = (value: Json): Json => (value === '' ? null : value);

function withoutEmptyTexts(body: Json): Json {
	if (!isJsonObject(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.map(unset) : unset(value),
		]),
	);
}

const isMomentAsText = (type: Json | undefined) => isJsonObject(type) && type['shownAs'] === 'date-time';

function shown(object: JsonObject): JsonObject {
	if (isMomentAsText(object['x-type']))
		return { ...object, 'x-type': MOMENT, anyOf: [MOMENT_SCHEMA, { type: 'null' }] };
	return isMomentAsText(object['type']) ? { ...object, type: MOMENT, schema: MOMENT_SCHEMA } : object;
}

/** §2.5: "more names may exist". What a value of such a type is, its schema says. */
const OTHER_NAMES = new Map<Json | undefined, string>([
	['richText', 'markdown'],
	['decimal', 'percentage'],
	['stringcollection', 'labels'],
]);

function otherNamed(object: JsonObject): JsonObject {
	const named = ['type', 'x-type'].flatMap((member) => {
		const type = object[member];
		const name = isJsonObject(type) ? OTHER_NAMES.get(type['name']) : undefined;
		return isJsonObject(type) && name !== undefined ? [[member, { ...type, name }] as const] : [];
	});
	return { ...object, ...Object.fromEntries(named) };
}

export function valuesStep({ emptyText, types }: Settings<typeof values.dials>): Step {
	return {
		request(request, { endpoint }) {
			const { body } = request;
			if (emptyText === 'kept' || body.kind !== 'json' || !WRITES.has(endpoint)) return request;
			return { ...request, body: { kind: 'json', value: withoutEmptyTexts(body.value) } };
		},
		response: (response) =>
			withJson(response, (body) =>
				eachObject(body, (object) => (types === 'documented' ? shown(object) : otherNamed(shown(object)))),
			),
	};
}
