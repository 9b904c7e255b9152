import multipartParser from '@fastify/multipart';
import Fastify from 'fastify';
import { z } from 'zod/v4';
import { multipart } from '../../../../client/formats/multipart';

const encode = (text: string) => new TextEncoder().encode(text);

interface Part {
	value: string;
	type?: string;
	file?: Uint8Array;
}

/** Sends a body to a server. @returns the parts that its parser reads, by name */
async function parsed({ type, data }: { type: string; data: Uint8Array }): Promise<Map<string, Part>> {
	const parts = new Map<string, Part>();
	const server = Fastify();
	await server.register(multipartParser);
	server.post('/', async (request) => {
		for await (const part of request.parts()) {
			if (part.type === 'file') {
				const file = Uint8Array.from(await part.toBuffer());
				parts.set(part.fieldname, { value: part.filename, type: part.mimetype, file });
			} else {
				parts.set(part.fieldname, { value: z.string().parse(part.value) });
			}
		}
		return {};
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	try {
		const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: data });
		expect(status).toBe(200);
	} finally {
		await server.close();
	}
	return parts;
}

test('texts and a file are transmitted unchanged', async () => {
	const content = Uint8Array.from([0, 13, 10, 45, 45, 255, 34, 195, 164]);
	const file = { field: 'file', name: 'größe.csv', type: 'text/csv', content };
	const parts = await parsed(multipart({ name: 'Größe "1"\r\n--', key: '' }, file));
	expect(Object.fromEntries(parts)).toEqual({
		name: { value: 'Größe "1"\r\n--' },
		key: { value: '' },
		file: { value: 'größe.csv', type: 'text/csv', file: content },
	});
});

test('a file name cannot end its header', () => {
	const file = { field: 'file', name: 'a"\r\nX-Evil: 1\r\n.csv', type: 'text/csv', content: encode('x') };
	const { data } = multipart({}, file);
	expect(new TextDecoder().decode(data)).toContain(
		'filename="a%22%0D%0AX-Evil: 1%0D%0A.csv"\r\nContent-Type',
	);
});

test('each body has its own boundary', () => {
	const file = { field: 'file', name: 'a', type: 'text/csv', content: encode('x') };
	expect(multipart({}, file).type).not.toBe(multipart({}, file).type);
});
