import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod/v4';

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };
/** For what `JSON.parse` gives: to look at each value again takes longer than to read it. */
export const jsonSchema = z.custom<Json>((value) => value !== undefined);

export type Body =
	| { kind: 'none' }
	| { kind: 'json'; value: Json }
	| { kind: 'text'; text: string }
	| { kind: 'bytes'; bytes: Buffer };

/**
 * A request in the documented form: its path is one of §4,
 * its ids are those of the embedded service.
 */
export interface VariantRequest {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body: Body;
}

export interface VariantResponse {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Body;
}

/** What a step of the way knows besides the message. */
export interface Exchange {
	/** The documented endpoint, where the path is one. */
	endpoint: EndpointName | undefined;
	/**
	 * Where the service seems to be: what the user enters as
	 * the base URL, without a slash at its end.
	 */
	baseUrl: string;
	/** Path of the request below the base URL, as the client sent it. */
	document: string;
	/** The service's clock in milliseconds since 1970. */
	now: number;
	/** The response of a step that refuses the request. */
	refusal?: VariantResponse;
}

/**
 * One step of the way between client and service. Requests
 * pass the steps in order, responses in the opposite order.
 */
export interface Step {
	request?(request: VariantRequest, exchange: Exchange): VariantRequest;
	/** @param request as this step was given it */
	response?(response: VariantResponse, exchange: Exchange, request: VariantRequest): VariantResponse;
}

const SPACE = '/api/users/:/spaces/:';
const GRID = `${SPACE}/grids/:`;

/** The documented endpoints (§4) that aspects tell apart. */
const ENDPOINTS = {
	me: 'GET /api/users/me',
	user: 'GET /api/users/:',
	types: 'GET /api/types',
	addAccessKey: 'POST /api/users/:/accessKeys',
	accessKeys: 'GET /api/users/:/accessKeys',
	removeAccessKey: 'DELETE /api/users/:/accessKeys/:',
	spaces: 'GET /api/users/:/spaces',
	addSpace: 'POST /api/users/:/spaces',
	space: `GET ${SPACE}`,
	changeSpace: `PATCH ${SPACE}`,
	removeSpace: `DELETE ${SPACE}`,
	copySpace: `POST ${SPACE}/copy`,
	resources: `GET ${SPACE}/resources`,
	shares: `GET ${SPACE}/shares`,
	addShare: `POST ${SPACE}/shares`,
	invite: `POST ${SPACE}/invite`,
	invitations: `GET ${SPACE}/invitations`,
	uploadCsv: `POST ${SPACE}/uploadCSV`,
	grids: `GET ${SPACE}/grids`,
	addGrid: `POST ${SPACE}/grids`,
	grid: `GET ${GRID}`,
	changeGrid: `PATCH ${GRID}`,
	replaceView: `PUT ${GRID}`,
	removeGrid: `DELETE ${GRID}`,
	schema: `GET ${GRID}/schema`,
	columnAdd: `POST ${GRID}/ColumnAdd`,
	columnRename: `POST ${GRID}/ColumnRename`,
	columnTypeChange: `POST ${GRID}/ColumnTypeChange`,
	columnKeyChange: `POST ${GRID}/ColumnKeyChange`,
	columnRemove: `POST ${GRID}/ColumnRemove`,
	field: `GET ${GRID}/fields/:`,
	changeField: `PATCH ${GRID}/fields/:`,
	views: `GET ${GRID}/virtualgrids`,
	addView: `POST ${GRID}/virtualgrids`,
	filterChange: `POST ${GRID}/FilterChange`,
	statefulViews: `GET ${GRID}/sviews`,
	addStatefulView: `POST ${GRID}/sviews`,
	statefulView: `GET ${GRID}/sviews/:`,
	changeStatefulView: `PATCH ${GRID}/sviews/:`,
	removeStatefulView: `DELETE ${GRID}/sviews/:`,
	statefulViewSchema: `GET ${GRID}/sviews/:/schema`,
	viewShares: `GET ${GRID}/sviews/:/shares`,
	addViewShare: `POST ${GRID}/sviews/:/shares`,
	forms: `GET ${GRID}/forms`,
	form: `GET ${GRID}/forms/:`,
	submitForm: `POST ${GRID}/forms/:`,
	csv: `GET ${GRID}/csv`,
	updates: `GET ${GRID}/updates`,
	query: `GET ${GRID}/query`,
	entities: `GET ${GRID}/entities`,
	addEntity: `POST ${GRID}/entities`,
	entity: `GET ${GRID}/entities/:`,
	putEntity: `PUT ${GRID}/entities/:`,
	updateEntity: `POST ${GRID}/entities/:/update`,
	removeEntity: `DELETE ${GRID}/entities/:`,
	events: `GET ${GRID}/entities/:/events`,
	publicForm: 'GET /api/a/:/:',
	submitPublicForm: 'POST /api/a/:/:',
} as const;
export type EndpointName = keyof typeof ENDPOINTS;

const byPattern = Object.entries(ENDPOINTS).map(([name, pattern]) => ({
	name,
	pattern: new RegExp(`^${pattern.replaceAll('/:', '/[^/]+')}$`),
}));

const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(ENDPOINTS, name);

/** The documented endpoint that a method and a path name. */
export function endpointOf(method: string, path: string): EndpointName | undefined {
	const line = `${method} ${path}`;
	const found = byPattern.find(({ pattern }) => pattern.test(line))?.name;
	return found !== undefined && isEndpoint(found) ? found : undefined;
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The same value with each object in it, at any depth,
 * replaced by what `change` makes of it; the innermost first.
 */
export function eachObject(value: Json, change: (object: JsonObject) => Json): Json {
	if (Array.isArray(value)) return value.map((one) => eachObject(one, change));
	if (!isJsonObject(value)) return value;
	return change(
		Object.fromEntries(Object.entries(value).map(([name, member]) => [name, eachObject(member, change)])),
	);
}

/** The response with what `change` makes of its JSON body; another body stays. */
export function withJson(response: VariantResponse, change: (value: Json) => Json): VariantResponse {
	const { body } = response;
	return body.kind === 'json' ? { ...response, body: { kind: 'json', value: change(body.value) } } : response;
}

/** The response with the items of a paged collection (§2.2) changed. */
export function withItems(response: VariantResponse, change: (items: Json[]) => Json[]): VariantResponse {
	return withJson(response, (page) => {
		if (!isJsonObject(page) || !Array.isArray(page['items'])) return page;
		return { ...page, items: change(page['items']) };
	});
}

/** The same record without some of its members. */
export function without<Value>(
	record: Readonly<Record<string, Value>>,
	...names: string[]
): Record<string, Value> {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export const isSuccess = ({ status }: VariantResponse): boolean => status >= 200 && status < 300;
