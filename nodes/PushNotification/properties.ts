import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { idsInUrl } from '../../client';
import { choice } from '../shared/inputs/choice';
import { collection, optionalText, parameter, type ReadAdded, rowsInput } from '../shared/inputs/parameter';
import { withoutUndefined } from '../shared/rows/output';

/** Who gets the notification: exactly one kind of target (§6). */
export const sendTo = choice(
	'sendTo',
	'Send To',
	{
		space: { name: 'Everyone With Space Open', description: 'People who have the space open in the app' },
		people: { name: 'People', description: 'People listed by user ID' },
	},
	{ default: 'people', description: 'Who gets the notification' },
);

const string = (displayName: string, name: string, placeholder: string, description: string) =>
	({ displayName, name, type: 'string', default: '', placeholder, description }) satisfies INodeProperties;
const shownFor = (target: string) => ({ displayOptions: { show: { sendTo: [target] } }, required: true });
const rows = { typeOptions: { rows: 3 } };

const id = z.union([z.string(), z.number()]).transform((value) => String(value).trim());

export const userIds = parameter(
	{
		...string(
			'User IDs',
			'userIds',
			'e.g. u1, u2',
			'Separated by commas, or an expression that returns a list of them, such as "changedBy" of the trigger. IDs are sent as SHA-256 hashes, as the app registers them.',
		),
		...shownFor('people'),
	},
	z
		.union([z.array(id), id.transform((text) => text.split(',').map((part) => part.trim()))])
		.refine((ids) => ids.some((one) => one !== ''), 'it contains no user ID'),
);

/** §6: the last segment of the space address. */
const spaceIdIn = (text: string) =>
	text.includes('/') ? (idsInUrl(text).spaceId ?? idsInUrl(text).lastSegment ?? '') : text;

export const space = parameter(
	{
		...string(
			'Space',
			'space',
			'e.g. https://grids.example.com/api/users/u1/spaces/s1',
			'The ID or URL of the space. There is no list to choose from, because sending needs no account of the service.',
		),
		...shownFor('space'),
	},
	z
		.string()
		.trim()
		.min(1, 'a space is required')
		.transform(spaceIdIn)
		.refine((spaceId) => spaceId !== '', 'it contains no ID of a space'),
);

const OTHERS = 'in English, also used for languages without one of their own';
const needed = z.string().trim().min(1, 'the English text is required');
const titleOf = string('Title (English)', 'title', 'e.g. New order', `The title ${OTHERS}`);
const textOf = string('Text (English)', 'text', 'e.g. A-1001 can be packed', `The text ${OTHERS}`);
export const title = parameter({ ...titleOf, required: true }, needed);
export const message = parameter({ ...textOf, ...rows, required: true }, needed);

const unlessEnglish = 'in this language. Leave empty to use the English one.';
const translated = [
	string('Language', 'language', 'e.g. de', 'The code of the language'),
	string('Title', 'title', 'e.g. Neue Bestellung', `The title ${unlessEnglish}`),
	{ ...string('Text', 'text', 'e.g. A-1001 kann gepackt werden', `The text ${unlessEnglish}`), ...rows },
];
const CODE = /^[A-Za-z]{2,3}([-_][A-Za-z]+)?$/;
const language = z.string().trim().regex(CODE, 'it is not a language code such as de');
const optional = z.string().optional();
const ITEM_TITLE = '={{ $collection.item.value.language }}';

export const translations = rowsInput(
	{
		displayName: 'Translations',
		name: 'translations',
		typeOptions: { fixedCollection: { itemTitle: ITEM_TITLE } },
		placeholder: 'Add translation',
		description: 'Title and text in other languages',
	},
	{ displayName: 'Translation', name: 'translation', values: translated },
	z.object({ language, title: optional, text: optional }),
);

const openAs = choice(
	'type',
	'Open As',
	{ form: 'Form in App', link: 'Link in Browser' },
	{ default: 'form', description: 'How to open the URI' },
);
const titleOfForm = 'The title of the opened form. If empty, the title of the notification is used.';
const formTitle = parameter(string('Form Title', 'title', 'e.g. Pack the order', titleOfForm), optionalText);
const uri = parameter(
	string('URI', 'uri', 'e.g. https://grids.example.com/api/a/u1/l1', 'What tapping opens'),
	optionalText,
);

/** What happens on a tap. */
export const onTap = collection(
	{
		displayName: 'On Tap',
		name: 'onTap',
		placeholder: 'Add option',
		description: 'What tapping the notification does. Without a URI, it only opens the app.',
	},
	[formTitle, openAs, uri],
);

/** §6 `data`. */
export const dataOf = (added: ReadAdded) =>
	withoutUndefined({ title: added(formTitle), type: added(openAs), uri: added(uri) });
