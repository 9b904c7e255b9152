import { z } from 'zod/v4';
import { optionalInput, optionalText, parameter, type ReadAdded } from './parameter';

const iconColor = parameter(
	{
		displayName: 'Icon Color',
		name: 'iconColor',
		type: 'color',
		default: '',
		description: 'The color of the icon, e.g. #2f7d5b',
	},
	optionalText,
);

const iconName = optionalInput({
	displayName: 'Icon Name',
	name: 'iconName',
	description: 'The name of the icon in its set',
});

const iconSet = optionalInput({
	displayName: 'Icon Set',
	name: 'iconSet',
	placeholder: 'e.g. material',
	description: 'The set that contains the icon',
});

/** The inputs of an icon (§2.8 symbol object), read by `iconOf`. @param example name of an icon */
export const iconInputs = (example: string) => [
	iconColor,
	{ ...iconName, property: { ...iconName.property, placeholder: `e.g. ${example}` } },
	iconSet,
];

const text = z.string().catch('');
/** §2.8: all three are strings, so missing ones become empty. */
const presentIcon = z
	.looseObject({ name: text, iconset: text, color: text })
	.catch({ name: '', iconset: '', color: '' });

/** The icon with the added values and those of the current one; undefined without values. */
export function iconOf(added: ReadAdded, present: unknown = {}): z.infer<typeof presentIcon> | undefined {
	const [name, iconset, color] = [added(iconName), added(iconSet), added(iconColor)];
	if (name === undefined && iconset === undefined && color === undefined) return undefined;
	const icon = presentIcon.parse(present);
	return {
		...icon,
		name: name ?? icon.name,
		iconset: iconset ?? icon.iconset,
		color: color ?? icon.color,
	};
}
