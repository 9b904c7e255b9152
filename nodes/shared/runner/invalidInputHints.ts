import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject } from '../../../client/formats/json';
import { valueText } from '../display/valueText';

/** Longer than a name may be (§8); further limits of the service are not shown. */
const LONG = 80;

const rowsSchema = z.array(jsonObject).catch([]);

/**
 * Which inputs the service may have meant when it refused a request in words of its own: those with
 * long texts, and choices that n8n does not offer.
 * @param given what the inputs hold
 * @returns a sentence, or undefined where none stands out
 */
export function invalidInputHint(
	given: ReadonlyArray<{ property: INodeProperties; raw: unknown }>,
): string | undefined {
	const found = given.flatMap(({ property, raw }) => suspectsIn(property, raw));
	return found.length === 0 ? undefined : `Look at ${found.slice(0, 5).join(', ')}.`;
}

function suspectsIn(property: INodeProperties, raw: unknown): string[] {
	const { displayName, type, options = [] } = property;
	const members = jsonObject.catch({}).parse(raw);
	if (type === 'collection')
		return options.flatMap((option) => ('type' in option ? suspectsIn(option, members[option.name]) : []));
	if (type === 'fixedCollection')
		return options.flatMap((group) =>
			'values' in group
				? rowsSchema
						.parse(members[group.name])
						.flatMap((row) => group.values.flatMap((member) => suspectsIn(member, row[member.name])))
				: [],
		);
	if (typeof raw !== 'string') return [];
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const isForeign = type === 'options' && choices.length > 0 && raw !== '' && !choices.includes(raw);
	return raw.length > LONG || isForeign
		? [`"${displayName}" (${raw.length > LONG ? `${raw.length} characters` : valueText(raw)})`]
		: [];
}
