import { aspect, type Settings } from '../aspect';
import { isJsonObject, type Body, type Json, type Step } from '../exchange';

/** §7: the statuses are declared, the format of the error body is not shown. */
export const errors = aspect({
	body: ['json', 'text', 'html', 'problem', 'list', 'none'],
});

export function errorsStep({ body: form }: Settings<typeof errors.dials>): Step {
	return {
		response(response) {
			if (response.status < 400 || response.body.kind !== 'json') return response;
			const { value } = response.body;
			const message = isJsonObject(value) && typeof value['message'] === 'string' ? value['message'] : '';
			return { ...response, ...written(form, response.status, message, value, response.headers) };
		},
	};
}

function written(
	form: Settings<typeof errors.dials>['body'],
	status: number,
	message: string,
	value: Json,
	headers: Record<string, string>,
): { body: Body; headers: Record<string, string> } {
	const json = (shown: Json): { body: Body; headers: Record<string, string> } => ({
		body: { kind: 'json', value: shown },
		headers,
	});
	const text = (shown: string, type: string): { body: Body; headers: Record<string, string> } => ({
		body: { kind: 'text', text: shown },
		headers: { ...headers, 'content-type': type },
	});
	switch (form) {
		case 'json':
			return json(value);
		case 'text':
			return text(message, 'text/plain');
		case 'html':
			return text(`<!doctype html><title>${status}</title><h1>${status}</h1>`, 'text/html');
		case 'problem':
			return json({ type: 'about:blank', title: 'Refused', status, detail: message });
		case 'list':
			return json({ errors: [{ code: 'E7', detail: message }] });
		case 'none':
			return { body: { kind: 'none' }, headers };
	}
}
