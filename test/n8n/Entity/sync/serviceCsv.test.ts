import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../../../../testbed/testServer';
import { byId } from '../../../../testbed/world/parameters';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

/** Exports from a server in front of the service, which sends the files itself. */
const PART = Buffer.alloc(64 * 1024, 'x,y\n');
const PARTS = 1024;

const world = World.forTests();
let grid: WorldGrid;
let server: TestServer;
let respond: (response: ServerResponse) => void;
let downloads: number;

beforeAll(async () => {
	grid = await world.grid({ Parcel: 'string' }, 'Parcels');
	server = await startTestServer((request, response) => {
		if (!request.url?.endsWith('/csv')) return void forward(request, response);
		downloads++;
		respond(response);
	});
});
beforeEach(() => {
	downloads = 0;
});
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => {
	await server.stop();
});

async function forward({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
	const { authorization = '', accept = '' } = headers;
	const received = await fetch(new URL(url, world.service.url), { headers: { authorization, accept } });
	response
		.writeHead(received.status, { 'content-type': received.headers.get('content-type') ?? '' })
		.end(await received.text());
}

const exported = () => grid.run('export', { fileMadeBy: 'service' }, [{}], { baseUrl: server.url });

test('streams a file to the binary store of n8n, and does not load it into memory as a whole', async () => {
	let written = 0;
	let taken = 0;
	let ahead = 0;
	respond = (response) => {
		const more = () => {
			while (written < PARTS) {
				written++;
				ahead = Math.max(ahead, written - taken);
				if (!response.write(PART)) return void response.once('drain', more);
			}
			response.end();
		};
		more();
	};
	jest
		.spyOn(BinaryDataService.prototype, 'store')
		.mockImplementation(async (_location, content, binaryData) => {
			if (Buffer.isBuffer(content)) throw new Error('The file is in memory');
			let bytes = 0;
			for await (const part of content) {
				bytes += Buffer.from(part as Uint8Array).length;
				taken = bytes / PART.length;
				await turn();
			}
			return { ...binaryData, data: 'elsewhere' };
		});
	const { items, error } = await exported();
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ fileName: 'Parcels.csv', fileSize: PARTS * PART.length });
	expect(items[0]?.binary?.data).toMatchObject({ fileName: 'Parcels.csv', data: 'elsewhere' });
	// The rest is in the buffers of the sockets.
	expect(ahead).toBeLessThan(PARTS / 2);
});

test('starts an interrupted download again, and stores the whole file', async () => {
	respond = (response) => {
		response.writeHead(200, { 'content-length': '8' });
		if (downloads === 1) response.write('A\n1', () => response.destroy());
		else response.end('A\n1\n22\n3');
	};
	const { items } = await exported();
	expect(downloads).toBe(2);
	expect(Buffer.from(items[0]?.binary?.data?.data ?? '', 'base64').toString()).toBe('A\n1\n22\n3');
	expect(items[0]?.json).toMatchObject({ fileSize: 8 });
});

test('reports the message of a refusal by the service, and stores nothing', async () => {
	const store = jest.spyOn(BinaryDataService.prototype, 'store');
	respond = (response) => {
		response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"not for you"}');
	};
	const { error } = await exported();
	expect(error).toMatchObject({ httpCode: '403' });
	expect(error?.message).toContain('not for you');
	expect(store).not.toHaveBeenCalled();
});

test('reports the error of a failing store unchanged, and does not request the file again', async () => {
	respond = (response) => {
		response.end('A\n1\n');
	};
	jest
		.spyOn(BinaryDataService.prototype, 'store')
		.mockRejectedValue(new Error('ENOSPC: no space left on device'));
	const { error } = await exported();
	expect(error?.message).toContain('no space left on device');
	expect(downloads).toBe(1);
});

test.each([
	['with a byte-order mark', Buffer.from('\ufeff=1+1\n', 'utf16le')],
	['without one', Buffer.from('=1+1\n', 'utf16le')],
	['in the other byte order', Buffer.from('\ufeff=1+1\n', 'utf16le').swap16()],
])('a file in UTF-16 %s is refused: its formulas would not be recognized', async (_what, file) => {
	respond = (response) => {
		response.writeHead(200, { 'content-type': 'application/octet-stream' });
		// The first chunk is one byte long.
		response.write(file.subarray(0, 1), () => void response.end(file.subarray(1)));
	};
	const { error, rows } = await exported();
	expect(rows).toEqual([]);
	expect(error?.message).toContain('is encoded in UTF-16, in which formulas cannot be neutralized');
	expect(downloads).toBe(1);
});

describe('the file of the service itself', () => {
	const file = async (of: WorldGrid, parameters: INodeParameters = {}) => {
		const { items } = await of.run('export', { fileMadeBy: 'service', ...parameters });
		const { data = '', fileName } = items[0]?.binary?.['data'] ?? {};
		return { text: Buffer.from(data, 'base64').toString(), fileName, size: items[0]?.json['fileSize'] };
	};

	test('has a safe name, and no formulas unless escaping them is switched off', async () => {
		const sums = await world.grid({ Name: 'string', Sum: 'decimal' }, '../..\n<größer>');
		await sums.fill({ Name: '=HYPERLINK("x")', Sum: -5 });
		const text = `Name,Sum\n"'=HYPERLINK(""x"")",-5\n`;
		for (const parameters of [{}, { options: { escapeFormulas: true } }])
			expect(await file(sums, parameters)).toEqual({ text, fileName: '_.. _größer_.csv', size: text.length });
		const { text: kept } = await file(sums, { options: { escapeFormulas: false } });
		expect(kept).toBe(text.replace("'=", '='));
	});

	test('has only the columns and rows of a view, and the chosen name', async () => {
		const kinds = await world.grid({ Name: 'string', Kind: 'string' });
		await kinds.fill({ Name: 'one', Kind: 'a' }, { Name: 'two', Kind: 'b' });
		const view = await kinds.view(['Name'], { Kind: { $eq: 'b' } });
		const chosen = { view: byId(view), options: { fileName: 'b.csv' } };
		expect(await file(kinds, chosen)).toMatchObject({ text: 'Name\ntwo\n', fileName: 'b.csv' });
	});
});
