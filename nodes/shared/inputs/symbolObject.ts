import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

/** The inputs of an icon (§2.8 symbol object). @param example a name that such an icon may have */
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
			description: 'The name of the icon within its set',
		},
		{
			displayName: 'Icon Set',
			name: 'iconSet',
			type: 'string',
			default: '',
			placeholder: 'e.g. material',
			description: 'The set that the icon is from',
		},
	];
}

const part = z
	.string('it is not a text')
	.trim()
	.nullish()
	.transform((text) => text || undefined);

/** What the inputs of an icon hold; an empty one is none. */
export const iconSchema = { iconColor: part, iconName: part, iconSet: part };

export interface IconInput {
	iconColor?: string | undefined;
	iconName?: string | undefined;
	iconSet?: string | undefined;
}

const text = z.string().catch('');
/** §2.8: all three are strings, so what there is not yet stands as an empty one. */
const presentIcon = z
	.looseObject({ name: text, iconset: text, color: text })
	.catch({ name: '', iconset: '', color: '' });

/** The icon as the service takes it, what is not given taken from the present one; undefined where nothing is given. */
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
