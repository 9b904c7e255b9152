import { aspect, type Settings } from '../aspect';
import {
	isJsonObject,
	type EndpointName,
	type Step,
	type VariantRequest,
	type VariantResponse,
} from '../exchange';

/** What a service does with parameters and members that §2 and §4 do not name. */
export const strictness = aspect({
	parameters: ['ignored', 'refused'],
	members: ['ignored', 'refused'],
});

/** §4: all reads honour them. */
const PAGES = ['pageIndex', 'pageSize'];
/** The links of a variant may carry it. */
const OWN = ['tenant'];

/** Query parameters by endpoint (§4). */
const PARAMETERS: Partial<Record<EndpointName, readonly string[]>> = {
	spaces: ['matching'],
	resources: ['types'],
	grids: ['type'],
	statefulViews: ['nested'],
	updates: ['since'],
	query: ['matching', 'viewId', 'layout'],
	entities: ['layout', 'viewId', 'filter', 'sorting', 'compose'],
	entity: ['layout'],
	addEntity: ['layout'],
	putEntity: ['layout'],
	updateEntity: ['layout'],
};

const GRID = ['name', 'key', 'icon'];
const VIEW = ['name', 'fields', 'filter', 'sorting'];
const SHARE = ['email', 'role'];
const STATEFUL_VIEW = ['type', 'properties', 'slotProperties'];

/** Members of bodies by endpoint (§2.8, §4); bodies of rows are not here. */
const MEMBERS: Partial<Record<EndpointName, readonly string[]>> = {
	addAccessKey: ['name', 'role'],
	addSpace: ['name', 'key', 'belongsTo', 'icon'],
	changeSpace: ['name', 'key', 'belongsTo', 'spaceIcon', 'properties'],
	copySpace: ['name', 'includeEntities'],
	addShare: SHARE,
	invite: SHARE,
	addGrid: [...GRID, 'createView'],
	changeGrid: [...GRID, 'properties'],
	columnAdd: ['name', 'key', 'description', 'position', 'type'],
	columnRename: ['oldName', 'newName'],
	columnTypeChange: ['fieldId', 'type'],
	columnKeyChange: ['fieldId', 'key'],
	columnRemove: ['fieldId'],
	changeField: ['name', 'key', 'description', 'type'],
	addView: VIEW,
	replaceView: VIEW,
	filterChange: ['filter'],
	addStatefulView: STATEFUL_VIEW,
	changeStatefulView: STATEFUL_VIEW,
};

function unknownParameters({ method, query }: VariantRequest, endpoint: EndpointName): string[] {
	const known = [...(PARAMETERS[endpoint] ?? []), ...(method === 'GET' ? PAGES : []), ...OWN];
	return [...query.keys()].filter((name) => !known.includes(name));
}

function unknownMembers({ body }: VariantRequest, endpoint: EndpointName): string[] {
	const known = MEMBERS[endpoint];
	if (!known || body.kind !== 'json' || !isJsonObject(body.value)) return [];
	return Object.keys(body.value).filter((name) => !known.includes(name));
}

function refusal(names: readonly string[]): VariantResponse {
	const value = { status: 400, message: `Unknown: ${names.join(', ')}` };
	return { status: 400, headers: {}, body: { kind: 'json', value } };
}

export function strictnessStep({ parameters, members }: Settings<typeof strictness.dials>): Step {
	return {
		request(request, exchange) {
			const { endpoint } = exchange;
			if (!endpoint) return request;
			const unknown = [
				...(parameters === 'refused' ? unknownParameters(request, endpoint) : []),
				...(members === 'refused' ? unknownMembers(request, endpoint) : []),
			];
			if (unknown.length > 0) exchange.refusal = refusal(unknown);
			return request;
		},
	};
}
