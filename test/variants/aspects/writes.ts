import { aspect, type Settings } from '../aspect';
import { isSuccess, without, type EndpointName, type Step, type VariantResponse } from '../exchange';

const SILENT = ['as it is', '200 {}', '200 text', '204', '201 {}'] as const;

/** What writes answer where §4 does not say it; where it does, nothing is changed. */
export const writes = aspect({
	structure: SILENT,
	column: [...SILENT, '201 with the place of the grid'],
	deletion: SILENT,
	sharing: SILENT,
	publicForm: SILENT,
	accessKey: [201, 200],
});
type Writes = Settings<typeof writes.dials>;

const DIALS: Partial<Record<EndpointName, Exclude<keyof Writes, 'accessKey'>>> = {
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
			const dial = DIALS[endpoint];
			return dial ? answered(response, settings[dial], path) : response;
		},
	};
}
