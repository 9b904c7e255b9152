import { InvalidInput } from '../../../../client/errors';
import type { Transport } from '../../../../client/http/transport';
import { sendNotification, type Notification } from '../../../../client/resources/push';

/** Sends a notification. @returns what is told of the answer, and the bodies sent */
async function sent(changes: Partial<Notification>, answer: unknown = {}) {
	const bodies: unknown[] = [];
	const transport: Transport = {
		send: ({ body }) => {
			bodies.push(body);
			return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(answer) });
		},
		sleep: () => Promise.resolve(),
		now: () => 0,
	};
	const notification = {
		target: { userIds: ['u1'] },
		headings: { en: 'T' },
		contents: { en: 'C' },
		...changes,
	};
	const provider = { url: 'https://push.example/api', appId: 'a' };
	const told = await sendNotification({ transport, provider }, notification).then(
		({ words }) => words,
		(error: unknown) => error,
	);
	return { told, bodies };
}

test.each<[string, Partial<Notification>]>([
	['has no recipient', { target: { userIds: [] } }],
	['has no recipient', { target: { userIds: ['', ' '] } }],
	['title of the notification has no English text', { headings: { de: 'T' } }],
	['title of the notification has no English text', { headings: { en: ' ' } }],
	['text of the notification has no English text', { contents: {} }],
])('nothing is sent if it or the %s: %j', async (message, changes) => {
	const { told, bodies } = await sent(changes);
	expect(told).toBeInstanceOf(InvalidInput);
	expect(String(told)).toContain(message);
	expect(bodies).toEqual([]);
});

test.each<[unknown, string | undefined]>([
	[undefined, undefined],
	[null, undefined],
	[[], undefined],
	[{}, undefined],
	[['No one is registered'], 'No one is registered'],
	[{ invalid: [7] }, '{"invalid":[7]}'],
	[0, '0'],
])('errors that are %j in the answer are told as: %s', async (errors, words) => {
	expect((await sent({}, { errors })).told).toBe(words);
});
