import { aspect, type Settings } from '../aspect';
import { eachObject, jsonSchema, type Json, type Step } from '../exchange';

/**
 * §4 Gaps: operators of the filter language beyond `$eq` are not shown, nor how texts are compared.
 */
export const filters = aspect({
	operators: ['all', 'only $eq', 'others ignored'],
	texts: ['exact', 'caseless'],
});
type Filters = Settings<typeof filters.dials>;

function hasOtherOperator(filter: Json): boolean {
	let found = false;
	eachObject(filter, (object) => {
		found ||= Object.keys(object).some((name) => name.startsWith('$') && name !== '$eq');
		return object;
	});
	return found;
}

const spellings = (text: string): string[] => [...new Set([text, text.toLowerCase(), text.toUpperCase()])];

/** Texts of this form only: options, moments and addresses are no texts in this sense. */
const ARTICLE = /^[a-z]+-\d+$/i;

const caseless = (filter: Json): Json =>
	eachObject(filter, (object) =>
		typeof object['$eq'] === 'string' && Object.keys(object).length === 1 && ARTICLE.test(object['$eq'])
			? { $in: spellings(object['$eq']) }
			: object,
	);

export function filtersStep({ operators, texts }: Filters): Step {
	return {
		request(request, { endpoint }) {
			const given = request.query.get('filter');
			if (endpoint !== 'entities' || given === null) return request;
			const filter = jsonSchema.parse(JSON.parse(given));
			const query = new URLSearchParams(request.query);
			// What is no JSON the embedded service refuses, too.
			if (operators === 'only $eq' && hasOtherOperator(filter)) query.set('filter', '{');
			else if (operators === 'others ignored' && hasOtherOperator(filter)) query.delete('filter');
			else if (texts === 'caseless') query.set('filter', JSON.stringify(caseless(filter)));
			return { ...request, query };
		},
	};
}
