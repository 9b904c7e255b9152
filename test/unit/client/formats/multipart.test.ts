import { Busboy } from '@fastify/busboy';
import { multipart } from '../../../../client/formats/multipart';

const encode = (text: string) => new TextEncoder().encode(text);

interface Part {
	value: string;
	type?: string;
	file?: Uint8Array;
}

/** Parses a body with a server's parser. @returns its parts by name */
function parsed({ type, data }: { type: string; data: Uint8Array }): Promise<Map<string, Part>> {
	const parts = new Map<string, Part>();
	return new Promise((resolve, reject) => {
		new Busboy({ headers: { 'content-type': type } })
			.on('field', (name, value) => parts.set(name, { value }))
			.on('file', (name, stream, value, _encoding, mimeType) => {
				const chunks: Uint8Array[] = [];
				stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
				stream.on('end', () => {
					parts.set(name, { value, type: mimeType, file: Uint8Array.from(Buffer.concat(chunks)) });
				});
			})
			.on('error', reject)
			.on('finish', () => {
				resolve(parts);
			})
			.end(data);
	});
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
