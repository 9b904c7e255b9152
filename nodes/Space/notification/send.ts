import { InvalidInput } from '../../../client/errors';
import { sendNotification, type PushTarget, type Texts } from '../../../client/resources/push';
import { accountlessOperation } from '../../shared/runner/operation';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { message, onTap, sendTo, space, title, translations, userIds } from './properties';
import { connectToPush } from './provider';

export const send = accountlessOperation({
	value: 'send',
	name: 'Send',
	action: 'Send notification',
	description:
		'Send a push notification to people, or to everyone who has a space open. Needs only a credential of the push provider.',
	fields: [sendTo, userIds, space, title, message, translations, onTap],
	async run({ node, parameter, hint }) {
		const target = targetOf(parameter);
		const { headings, contents } = textsOf(parameter);
		const connection = await connectToPush(node);
		const data = dataOf(parameter);
		const { answer, words } = await sendNotification(connection, {
			target,
			headings,
			contents,
			data,
		});
		if (words) hint(`The push provider accepted the notification, but reported: ${words}`, 'warning');
		return { sent: true, to: target, answer: answer ?? null };
	},
});

function targetOf(parameter: ReadParameter): PushTarget {
	return parameter(sendTo) === 'space' ? { spaceId: parameter(space) } : { userIds: parameter(userIds) };
}

function textsOf(parameter: ReadParameter): { headings: Texts; contents: Texts } {
	const headings = new Map([['en', parameter(title)]]);
	const contents = new Map([['en', parameter(message)]]);
	for (const { language, title: heading, text } of parameter(translations)) {
		if (headings.has(language) && contents.has(language))
			throw new InvalidInput(
				`The language "${language}" occurs twice`,
				'Remove one of the two from "Translations". For English, use the inputs Title and Text.',
			);
		if (heading) headings.set(language, heading);
		if (text) contents.set(language, text);
	}
	return { headings: Object.fromEntries(headings), contents: Object.fromEntries(contents) };
}

function dataOf(parameter: ReadParameter) {
	const { uri, type, title: formTitle } = parameter(onTap);
	return {
		...(uri === undefined ? {} : { uri }),
		...(type === undefined ? {} : { type }),
		...(formTitle === undefined ? {} : { title: formTitle }),
	};
}
