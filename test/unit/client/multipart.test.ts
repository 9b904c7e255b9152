import { multipart } from '../../../client/multipart';

const encode = (text: string) => new TextEncoder().encode(text);

async function parsed({ type, data }: { type: string; data: Uint8Array }): Promise<FormData> {
	return await new Response(Buffer.from(data), { headers: { 'content-type': type } }).formData();
}

test('texts and a file come out of the body as they went in, whatever they hold', async () => {
	const content = Uint8Array.from([0, 13, 10, 45, 45, 255, 34, 195, 164]);
	const file = { field: 'file', name: 'größe.csv', type: 'text/csv', content };
	const form = await parsed(multipart({ name: 'Größe "1"\r\n--', key: '' }, file));
	expect(form.get('name')).toBe('Größe "1"\r\n--');
	expect(form.get('key')).toBe('');
	const out = form.get('file');
	if (!(out instanceof Blob)) throw new Error('The file is no file');
	expect(new Uint8Array(await out.arrayBuffer())).toEqual(content);
	expect(out.type).toBe('text/csv');
});

test('a file name cannot end its header', async () => {
	const file = { field: 'file', name: 'a"\r\nX-Evil: 1\r\n.csv', type: 'text/csv', content: encode('x') };
	const { data } = multipart({}, file);
	expect(new TextDecoder().decode(data)).toContain(
		'filename="a%22%0D%0AX-Evil: 1%0D%0A.csv"\r\nContent-Type',
	);
});

test('no two bodies share a boundary', () => {
	const file = { field: 'file', name: 'a', type: 'text/csv', content: encode('x') };
	expect(multipart({}, file).type).not.toBe(multipart({}, file).type);
});
