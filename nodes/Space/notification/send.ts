import { InvalidInput } from '../../../client/errors';
import { sendNotification, type PushTarget, type Texts } from '../../../client/resources/push';
import type { Operation } from '../../shared/runner/operation';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { message, onTap, sendTo, space, title, translations, userIds } from './properties';
import { connectToPush } from './provider';

export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send a notification',
	description:
		'Send a push notification to the phones of people, or of everyone who has a space open; needs a credential of the push provider only',
	fields: [sendTo, userIds, space, title, message, translations, onTap],
	async runWithoutAccount({ node, parameter, hint }) {
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
		if (words) hint(`The push provider took the notification, but says: ${words}`);
		return { sent: true, to: target, answer: answer ?? null };
	},
};

function targetOf(parameter: ReadParameter): PushTarget {
	return parameter(sendTo) === 'space' ? { spaceId: parameter(space) } : { userIds: parameter(userIds) };
}

function textsOf(parameter: ReadParameter): { headings: Texts; contents: Texts } {
	const headings = new Map([['en', parameter(title)]]);
	const contents = new Map([['en', parameter(message)]]);
	for (const { language, title: heading, text } of parameter(translations)) {
		if (headings.has(language) && contents.has(language))
			throw new InvalidInput(
				`The language "${language}" is given twice`,
				'Remove one of them from "Translations"; English has inputs of its own.',
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
