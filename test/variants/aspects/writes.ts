import { z } from 'zod/v4';
import { aspect, type Settings } from '../aspect';
import {
	isSuccess,
	jsonSchema,
	without,
	type EndpointName,
	type Exchange,
	type Step,
	type VariantRequest,
	type VariantResponse,
} from '../exchange';

const SILENT = ['as it is', '200 {}', '200 text', '204', '202 none', '201 {}'] as const;

/** What writes answer where §4 does not say it; where it does, nothing is changed. */
export const writes = aspect(
	'status and body of writes whose answer is not shown: 200, 201, 202, 204, JSON, text, nothing; beyond the specification: writes of rows that are only accepted (202), results of writes at another address (303), creations with 200 for 201',
	{
		structure: SILENT,
		column: [...SILENT, '201 with the place of the grid'],
		deletion: SILENT,
		sharing: SILENT,
		publicForm: SILENT,
		accessKey: [201, 200],
		rows: ['as promised', '202'],
		results: ['in the response', 'elsewhere'],
		created: [201, 200],
	},
);
type Writes = Settings<typeof writes.dials>;

const DIALS: Partial<
	Record<EndpointName, Exclude<keyof Writes, 'accessKey' | 'rows' | 'results' | 'created'>>
> = {
	changeGrid: 'structure',
	replaceView: 'structure',
	filterChange: 'structure',
	changeField: 'structure',
	changeStatefulView: 'structure',
	columnAdd: 'column',
	columnRename: 'column',
	columnTypeChange: 'column',
	columnKeyChange: 'column',
	columnRemove: 'column',
	removeSpace: 'deletion',
	removeGrid: 'deletion',
	removeStatefulView: 'deletion',
	removeAccessKey: 'deletion',
	addShare: 'sharing',
	invite: 'sharing',
	copySpace: 'sharing',
	addViewShare: 'sharing',
	submitPublicForm: 'publicForm',
};

function answered(
	response: VariantResponse,
	how: (typeof SILENT)[number] | '201 with the place of the grid',
	path: string,
): VariantResponse {
	const headers = {};
	switch (how) {
		case 'as it is':
			return response;
		case '200 {}':
			return { status: 200, headers, body: { kind: 'json', value: {} } };
		case '201 {}':
			return { status: 201, headers, body: { kind: 'json', value: {} } };
		case '200 text':
			return { status: 200, headers, body: { kind: 'text', text: 'OK' } };
		case '202 none':
			return { status: 202, headers, body: { kind: 'none' } };
		case '204':
			return { status: 204, headers, body: { kind: 'none' } };
		case '201 with the place of the grid': {
			const grid = path.replace(/\/[^/]+$/, '');
			return { status: 201, headers: { location: grid }, body: { kind: 'text', text: `Created ${grid}` } };
		}
	}
}

export function writesStep(settings: Writes): Step {
	return {
		response(response, { endpoint }, { path }) {
			if (!endpoint || !isSuccess(response)) return response;
			if (endpoint === 'addAccessKey') {
				const headers = without(response.headers, 'location');
				return settings.accessKey === 201 ? response : { ...response, status: 200, headers };
			}
			if (settings.rows === '202' && OF_ROWS.has(endpoint)) return { ...response, status: 202 };
			const dial = DIALS[endpoint];
			const shown = dial ? answered(response, settings[dial], path) : response;
			return shown.status === 201 ? { ...shown, status: settings.created } : shown;
		},
	};
}

const OF_ROWS: ReadonlySet<EndpointName> = new Set<EndpointName>([
	'addEntity',
	'putEntity',
	'removeEntity',
	'submitForm',
]);

/** The address of a result holds the result itself. */
const RESULT = /^\/api\/results\/([\w-]+)$/;
const resultSchema = z.object({ json: jsonSchema.optional(), text: z.string() });

/** The result that a request asks for, if it asks for one. */
export function resultAt({ path }: Pick<VariantRequest, 'path'>): VariantResponse | undefined {
	const token = RESULT.exec(path)?.[1];
	if (token === undefined) return undefined;
	const kept: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
	const { json, text } = resultSchema.parse(kept);
	if (json !== undefined) return { status: 200, headers: {}, body: { kind: 'json', value: json } };
	return { status: 200, headers: {}, body: text === '' ? { kind: 'none' } : { kind: 'text', text } };
}

/** Names the new resource, or the address of the result, in place of the response to a write. */
export function resultsStep({ results }: Pick<Writes, 'results'>): Step {
	return {
		response(response, { endpoint, baseUrl }: Exchange, { method }) {
			const { body, headers } = response;
			if (results === 'in the response' || method === 'GET' || !isSuccess(response)) return response;
			const isNew = headers['location'] !== undefined && endpoint !== 'addAccessKey';
			const kept =
				body.kind === 'json'
					? { json: body.value, text: '' }
					: { text: body.kind === 'text' ? body.text : '' };
			const token = Buffer.from(JSON.stringify(kept)).toString('base64url');
			const result = new URL(`${baseUrl}/api/results/${token}`).pathname;
			return {
				status: 303,
				headers: { location: isNew ? (headers['location'] ?? '') : result },
				body: { kind: 'none' },
			};
		},
	};
}
