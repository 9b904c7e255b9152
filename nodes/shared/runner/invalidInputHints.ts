import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject } from '../../../client';
import { valueText } from '../display/shownText';

/** Maximum length of a name (§8); other limits are not specified. */
const MAX_NAME_LENGTH = 80;

const rowsSchema = z.array(jsonObject).catch([]);

/**
 * Suggests inputs that may have caused the service to refuse a request: long texts, and values that
 * are not among an input's options.
 * @param inputs the inputs with their values
 * @returns a sentence, or undefined if no input is suspicious
 */
export function invalidInputHint(
	inputs: ReadonlyArray<{ property: INodeProperties; raw: unknown }>,
): string | undefined {
	const suspects = inputs.flatMap(({ property, raw }) => suspiciousInputs(property, raw));
	return suspects.length === 0 ? undefined : `Check ${suspects.slice(0, 5).join(', ')}.`;
}

function suspiciousInputs(property: INodeProperties, raw: unknown): string[] {
	const { displayName, type, options = [] } = property;
	const members = jsonObject.catch({}).parse(raw);
	if (type === 'collection')
		return options.flatMap((option) =>
			'type' in option ? suspiciousInputs(option, members[option.name]) : [],
		);
	if (type === 'fixedCollection')
		return options.flatMap((group) =>
			'values' in group
				? rowsSchema
						.parse(members[group.name])
						.flatMap((row) => group.values.flatMap((member) => suspiciousInputs(member, row[member.name])))
				: [],
		);
	if (typeof raw !== 'string') return [];
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const isForeign = type === 'options' && choices.length > 0 && raw !== '' && !choices.includes(raw);
	// JSON or an address is no name, whatever its length.
	const isLong = raw.length > MAX_NAME_LENGTH && type !== 'json' && !URL.canParse(raw);
	return isLong || isForeign
		? [`"${displayName}" (${isLong ? `${raw.length} characters` : valueText(raw)})`]
		: [];
}
