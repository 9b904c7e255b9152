import { z } from 'zod/v4';
import { idsInUrl } from '../../../client/endpoints/paths';
import { parameter } from '../../shared/inputs/parameter';

/** Who gets the notification: exactly one kind of target (§6). */
export const sendTo = parameter(
	{
		displayName: 'Send To',
		name: 'sendTo',
		type: 'options',
		options: [
			{
				name: 'Everyone With the Space Open',
				value: 'space',
				description: 'Whoever has the space open in the app now',
			},
			{ name: 'People', value: 'people', description: 'The people with certain user IDs' },
		],
		default: 'people',
		description: 'Who gets the notification',
	},
	z.enum(['people', 'space']),
);

const LONGEST_ID = 200;
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
			'The user IDs of the people, separated by commas, or an expression that yields a list of them: such as "changedBy" of the trigger. They are sent hashed with SHA-256, as the app registers people.',
	},
	z
		.union([
			z.array(id),
			z.number().transform((one) => [String(one)]),
			z.string().transform((text) => text.split(',').map((part) => part.trim())),
		])
		.refine((ids) => ids.some((one) => one !== ''), 'nobody is named')
		.refine((ids) => ids.every(({ length }) => length <= LONGEST_ID), 'one of them is too long for an ID'),
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
			'The ID of the space or its URL, e.g. as the operation Get Many of the resource Space returns it. No list is offered, since a notification needs no account of the service.',
	},
	z
		.string()
		.trim()
		.min(1, 'a space is needed')
		.transform((text) =>
			text.includes('/') ? (idsInUrl(text).spaceId ?? idsInUrl(text).lastSegment ?? '') : text,
		)
		.refine(({ length }) => length <= LONGEST_ID, 'it is too long for an ID'),
);

const needed = z.string().trim().min(1, 'the English text is always needed');

export const title = parameter(
	{
		displayName: 'Title (English)',
		name: 'title',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. New order',
		description:
			'The title of the notification in English, which also stands in for languages without a title',
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
		description: 'The text of the notification in English, which also stands in for languages without a text',
	},
	needed,
);

const translationSchema = z.object({
	language: z
		.string()
		.trim()
		.regex(/^[A-Za-z]{2,3}([-_][A-Za-z]+)?$/, 'a language is given by its code, e.g. de'),
	title: z.string().optional(),
	text: z.string().optional(),
});

export const translations = parameter(
	{
		displayName: 'Translations',
		name: 'translations',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Translation',
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
						description: 'The title in this language; empty for the English one',
					},
					{
						displayName: 'Text',
						name: 'text',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. Bestellung A-1001 kann gepackt werden',
						description: 'The text in this language; empty for the English one',
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

/** What happens on a tap (§6 `data`). */
export const onTap = parameter(
	{
		displayName: 'On Tap',
		name: 'onTap',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		description: 'What a tap on the notification does; without a URI it only opens the app',
		options: [
			{
				displayName: 'Form Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Pack the order',
				description: 'The title of the opened form; without it, that of the notification',
			},
			{
				displayName: 'Open As',
				name: 'type',
				type: 'options',
				options: [
					{ name: 'Form in the App', value: 'form' },
					{ name: 'Link in the Browser', value: 'link' },
				],
				default: 'form',
				description: 'How the URI is opened',
			},
			{
				displayName: 'URI',
				name: 'uri',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://grids.example.com/api/a/u1/l1',
				description: 'The address that a tap opens',
			},
		],
	},
	z.object({ title: orNone, type: z.enum(['form', 'link']).optional(), uri: orNone }),
);
