import { z } from 'zod/v4';
import { idsInUrl } from '../../../client/endpoints/paths';
import { choice } from '../../shared/inputs/choice';
import { parameter } from '../../shared/inputs/parameter';

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

const MAX_ID_LENGTH = 200;
const id = z.union([z.string(), z.number()]).transform((value) => String(value).trim());

export const userIds = parameter(
	{
		displayName: 'User IDs',
		name: 'userIds',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { sendTo: ['people'] } },
		placeholder: 'e.g. u1, u2',
		description:
			'User IDs separated by commas, or an expression that returns a list of them, such as "changedBy" of the trigger. IDs are sent as SHA-256 hashes, as the app registers them.',
	},
	z
		.union([
			z.array(id),
			z.number().transform((one) => [String(one)]),
			z.string().transform((text) => text.split(',').map((part) => part.trim())),
		])
		.refine((ids) => ids.some((one) => one !== ''), 'it contains no user ID')
		.refine(
			(ids) => ids.every(({ length }) => length <= MAX_ID_LENGTH),
			`an ID is longer than ${MAX_ID_LENGTH} characters`,
		),
);

export const space = parameter(
	{
		displayName: 'Space',
		name: 'space',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { sendTo: ['space'] } },
		placeholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1',
		description:
			'The ID or URL of the space; the operation Get Many of the resource Space returns the IDs. There is no list to choose from, because sending needs no account of the service.',
	},
	z
		.string()
		.trim()
		.min(1, 'a space is required')
		.transform((text) =>
			text.includes('/') ? (idsInUrl(text).spaceId ?? idsInUrl(text).lastSegment ?? '') : text,
		)
		.refine(({ length }) => length <= MAX_ID_LENGTH, `it is longer than ${MAX_ID_LENGTH} characters`),
);

const needed = z.string().trim().min(1, 'the English text is required');

export const title = parameter(
	{
		displayName: 'Title (English)',
		name: 'title',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. New order',
		description:
			'The title of the notification in English, also used for languages without a title of their own',
	},
	needed,
);

export const message = parameter(
	{
		displayName: 'Text (English)',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. Order A-1001 is ready to be packed',
		description:
			'The text of the notification in English, also used for languages without a text of their own',
	},
	needed,
);

const translationSchema = z.object({
	language: z
		.string()
		.trim()
		.regex(/^[A-Za-z]{2,3}([-_][A-Za-z]+)?$/, 'it is not a language code such as de'),
	title: z.string().optional(),
	text: z.string().optional(),
});

export const translations = parameter(
	{
		displayName: 'Translations',
		name: 'translations',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add translation',
		default: {},
		description: 'Title and text in other languages',
		options: [
			{
				displayName: 'Translation',
				name: 'translation',
				values: [
					{
						displayName: 'Language',
						name: 'language',
						type: 'string',
						default: '',
						placeholder: 'e.g. de',
						description: 'The code of the language',
					},
					{
						displayName: 'Title',
						name: 'title',
						type: 'string',
						default: '',
						placeholder: 'e.g. Neue Bestellung',
						description: 'The title in this language. Leave empty to use the English one.',
					},
					{
						displayName: 'Text',
						name: 'text',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. Bestellung A-1001 kann gepackt werden',
						description: 'The text in this language. Leave empty to use the English one.',
					},
				],
			},
		],
	},
	z
		.object({ translation: z.array(translationSchema).optional() })
		.transform(({ translation }) => translation ?? []),
);

const orNone = z
	.string()
	.trim()
	.optional()
	.transform((text) => text || undefined);

const openAs = choice(
	'type',
	'Open As',
	{ form: 'Form in App', link: 'Link in Browser' },
	{ default: 'form', description: 'How to open the URI' },
);

/** What happens on a tap (§6 `data`). */
export const onTap = parameter(
	{
		displayName: 'On Tap',
		name: 'onTap',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		description: 'What tapping the notification does. Without a URI, it only opens the app.',
		options: [
			{
				displayName: 'Form Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Pack the order',
				description: 'The title of the opened form. If empty, the title of the notification is used.',
			},
			openAs.property,
			{
				displayName: 'URI',
				name: 'uri',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://grids.example.com/api/a/u1/l1',
				description: 'The address that tapping opens',
			},
		],
	},
	z.object({ title: orNone, type: openAs.schema.optional(), uri: orNone }),
);
