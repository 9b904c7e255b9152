import { BinaryDataService } from 'n8n-core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { NodeRun } from '../../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../../testbed/testServer';
import { newGrid, type GridPick } from '../../Grid/fixture';
import { World } from '../../../../testbed/world/world';

/** Exports from a server in front of the service, which sends the files itself. */
const PART = Buffer.alloc(64 * 1024, 'x,y\n');
const PARTS = 1024;

let world: World;
let grid: GridPick;
let server: TestServer;
let respond: (response: ServerResponse) => void;
let downloads: number;

beforeAll(async () => {
	world = await World.start();
	grid = await newGrid(world, 'Parcels', [{ name: 'Parcel' }]);
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
	await world.stop();
});

async function forward({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
	const { authorization = '', accept = '' } = headers;
	const received = await fetch(new URL(url, world.service.url), { headers: { authorization, accept } });
	response
		.writeHead(received.status, { 'content-type': received.headers.get('content-type') ?? '' })
		.end(await received.text());
}

async function exported(): Promise<NodeRun> {
	const call = {
		node: 'entity',
		resource: 'entity',
		operation: 'export',
		parameters: { ...grid, fileMadeBy: 'service' },
	} as const;
	return await world.run(call, { baseUrl: server.url });
}

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
