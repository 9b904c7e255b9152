import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

/** The inputs of an icon (§2.8 symbol object). @param example name of such an icon */
export function iconProperties(example: string): INodeProperties[] {
	return [
		{
			displayName: 'Icon Color',
			name: 'iconColor',
			type: 'color',
			default: '',
			description: 'The color of the icon, e.g. #2f7d5b',
		},
		{
			displayName: 'Icon Name',
			name: 'iconName',
			type: 'string',
			default: '',
			placeholder: `e.g. ${example}`,
			description: 'The name of the icon in its set',
		},
		{
			displayName: 'Icon Set',
			name: 'iconSet',
			type: 'string',
			default: '',
			placeholder: 'e.g. material',
			description: 'The set that contains the icon',
		},
	];
}

const part = z
	.string('it is not a text')
	.trim()
	.nullish()
	.transform((text) => text || undefined);

/** Schemas of the icon inputs; an empty text counts as no value. */
export const iconSchema = { iconColor: part, iconName: part, iconSet: part };

export interface IconInput {
	iconColor?: string | undefined;
	iconName?: string | undefined;
	iconSet?: string | undefined;
}

const text = z.string().catch('');
/** §2.8: all three are strings, so missing ones become empty. */
const presentIcon = z
	.looseObject({ name: text, iconset: text, color: text })
	.catch({ name: '', iconset: '', color: '' });

/** The icon with the given values and those of the current one; undefined without values. */
export function iconOf(
	{ iconColor, iconName, iconSet }: IconInput,
	present: unknown = {},
): { name: string; iconset: string; color: string } | undefined {
	const given = {
		...(iconName === undefined ? {} : { name: iconName }),
		...(iconSet === undefined ? {} : { iconset: iconSet }),
		...(iconColor === undefined ? {} : { color: iconColor }),
	};
	if (Object.keys(given).length === 0) return undefined;
	return { ...presentIcon.parse(present), ...given };
}
