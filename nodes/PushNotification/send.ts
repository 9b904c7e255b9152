import { InvalidInput, sendNotification, type Texts } from '../../client';
import type { ReadParameter } from '../shared/inputs/parameter';
import { accountlessOperation } from '../shared/runner/operation';
import { dataOf, message, onTap, sendTo, space, title, translations, userIds } from './properties';
import { connectToPush } from './provider';

export const send = accountlessOperation({
	value: 'send',
	name: 'Send',
	action: 'Send push notification',
	description: 'Send a push notification to people, or to everyone who has a space open',
	fields: [sendTo, userIds, space, title, message, translations, onTap],
	async run({ node, parameter, hint }) {
		const isToSpace = parameter(sendTo) === 'space';
		const target = isToSpace ? { spaceId: parameter(space) } : { userIds: parameter(userIds) };
		const texts = textsOf(parameter);
		const notification = { target, ...texts, data: dataOf(parameter(onTap)) };
		const { answer, words } = await sendNotification(await connectToPush(node), notification);
		if (words) hint(`The push provider accepted the notification, but reported: ${words}`, 'warning');
		return { sent: true, to: target, answer: answer ?? null };
	},
});

function textsOf(parameter: ReadParameter): { headings: Texts; contents: Texts } {
	const headings = new Map([['en', parameter(title)]]);
	const contents = new Map([['en', parameter(message)]]);
	for (const { language, title: heading, text } of parameter(translations)) {
		if ((heading && headings.has(language)) || (text && contents.has(language)))
			throw new InvalidInput(
				`The language "${language}" occurs twice`,
				'Remove one of the two from "Translations". For English, use the inputs Title and Text.',
			);
		if (heading) headings.set(language, heading);
		if (text) contents.set(language, text);
	}
	return { headings: Object.fromEntries(headings), contents: Object.fromEntries(contents) };
}
