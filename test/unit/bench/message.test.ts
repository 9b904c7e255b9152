import { MessageReader } from '../../../bench/target/message.mjs';

const CHUNKED =
	'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab\r\nc\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n';
const WITH_LENGTH = 'HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\nabc';
const WITHOUT_BODY = 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n';

describe('messages of a connection', () => {
	const messages = [CHUNKED, WITH_LENGTH, CHUNKED, WITHOUT_BODY, WITH_LENGTH];
	const stream = Buffer.from(messages.join(''));

	it.each([1, 2, 7, stream.length])('are told apart in parts of %i bytes', (size) => {
		const received: string[] = [];
		const reader = new MessageReader(({ bytes }) => received.push(bytes.toString()));
		for (let at = 0; at < stream.length; at += size) reader.take(stream.subarray(at, at + size));
		expect(received).toEqual(messages);
	});
});
