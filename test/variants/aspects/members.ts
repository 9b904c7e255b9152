import { aspect, type Settings } from '../aspect';
import {
	eachObject,
	isJsonObject,
	withItems,
	withJson,
	type EndpointName,
	type Json,
	type JsonObject,
	type Step,
} from '../exchange';

/** §2: which members a representation has; the gaps name what is not shown. */
export const members = aspect({
	extra: [false, true],
	/** Members that the specification names, and that a record has nothing for. */
	absent: ['left out', 'null'],
	summaries: ['whole', 'few links', 'no links'],
	unnamed: ['kept', 'left out'],
	emptyCells: ['null', 'left out'],
});
type Members = Settings<typeof members.dials>;

/** Collections that hold the summary form of what has a full one (§2.1). */
const SUMMARIES: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>([
	'spaces',
	'grids',
	'views',
	'forms',
	'statefulViews',
]);

/** What the specification names of records whose other fields are not shown. */
const NAMED: Partial<Record<EndpointName, readonly string[]>> = {
	user: ['id', '_links'],
	// §1: the links are the only way to remove a share.
	shares: ['id', 'role', 'emails', 'users', '_links'],
	viewShares: ['role', 'emails', 'users'],
	invitations: ['email', 'role'],
	accessKeys: ['id', 'key', 'name', 'role'],
	addAccessKey: ['key', 'secret', 'name'],
	resources: ['type', 'href'],
};
const OF_SUMMARY = ['id', '_id', 'name', 'type', 'metaType', 'displayValue', '_representation', '_links'];

const EXTRA: JsonObject = { _etag: 'W/"7"', _meta: { tags: ['a', 'b'], owner: { id: 'o-1' } } };

const only = (object: Json, names: readonly string[]): Json =>
	isJsonObject(object)
		? Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
		: object;

function summary(item: Json, { summaries, unnamed }: Members): Json {
	if (!isJsonObject(item)) return item;
	const shown = unnamed === 'left out' ? only(item, OF_SUMMARY) : item;
	if (!isJsonObject(shown) || summaries === 'whole') return shown;
	const self = summaries === 'few links' ? only(shown['_links'] ?? {}, ['self']) : {};
	return { ...shown, _links: self };
}

export function membersStep(settings: Members): Step {
	return {
		response(response, { endpoint }) {
			const named = settings.unnamed === 'left out' && endpoint ? NAMED[endpoint] : undefined;
			let shown = withItems(response, (items) => {
				if (SUMMARIES.has(endpoint)) return items.map((item) => summary(item, settings));
				return named ? items.map((item) => only(item, named)) : items;
			});
			if (endpoint === 'user' || endpoint === 'addAccessKey')
				shown = withJson(shown, (value) => (named ? only(value, named) : value));
			return withJson(shown, (body) =>
				eachObject(body, (changed) => {
					if (!isJsonObject(changed['_links'])) return changed;
					return {
						...(isRow(changed) ? cellsOf(changed, settings) : changed),
						...(settings.extra ? EXTRA : {}),
						...(settings.absent === 'null' ? nullsFor(changed) : {}),
					};
				}),
			);
		},
	};
}

const MAY_BE_ABSENT = ['description', 'properties', 'displayValue', 'belongsTo', '_embedded'];
const nullsFor = (object: JsonObject): JsonObject =>
	Object.fromEntries(MAY_BE_ABSENT.filter((name) => !(name in object)).map((name) => [name, null]));

const isRow = ({ _id, _representation }: JsonObject) => _id !== undefined && _representation !== undefined;

const cellsOf = (row: JsonObject, { emptyCells }: Members): JsonObject =>
	emptyCells === 'null' ? row : Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
