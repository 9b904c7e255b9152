import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to one request on its way. */
export type Fault =
	/** It is held up before the service sees it. */
	| { kind: 'latency'; milliseconds: number }
	/** The service does not see it; this comes back. */
	| { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
	/** The connection is reset before the service sees it. */
	| { kind: 'resetBefore' }
	/** The service answers, and the connection is reset before any of it arrives. */
	| { kind: 'resetAfter' }
	/** The answer breaks off in the middle of its body. */
	| { kind: 'cutBody' }
	/** The whole answer arrives, and its body is only the first half of the JSON. */
	| { kind: 'halfBody' }
	/** The answer is as it should be, but for its `Date`. Milliseconds; undefined: the header is missing. */
	| { kind: 'date'; skew: number | undefined };

/** Looked up for each request, numbered from 1 since the proxy was told its faults. */
export type FaultPlan = (request: IncomingMessage, number: number) => Fault | undefined;

export interface FaultProxy {
	url: string;
	/** Paths of the requests that came since the faults were set. */
	requests: string[];
	/** From now on these faults; none where it is left out. */
	setFaults(plan?: FaultPlan): void;
	stop(): Promise<void>;
}

interface RawResponse {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
}

/** A proxy before the service that breaks what it is told to break. On 127.0.0.1, a free port. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
	let plan: FaultPlan = () => undefined;
	const requests: string[] = [];

	const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
		requests.push(incoming.url ?? '');
		const fault = plan(incoming, requests.length);
		const parts: Buffer[] = [];
		for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array));
		if (fault?.kind === 'resetBefore') return void outgoing.destroy();
		if (fault?.kind === 'answer')
			return void outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
		if (fault?.kind === 'latency') await delay(fault.milliseconds);
		respond(outgoing, await pass(target, incoming, Buffer.concat(parts)), fault);
	};

	const server = createServer((incoming, outgoing) => {
		serve(incoming, outgoing).catch(() => outgoing.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		setFaults(faults = () => undefined) {
			plan = faults;
			requests.length = 0;
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function pass(target: string, incoming: IncomingMessage, body: Buffer): Promise<RawResponse> {
	return await new Promise((resolve, reject) => {
		const onward = forward(
			new URL(incoming.url ?? '/', target),
			{ method: incoming.method, headers: incoming.headers, agent: false },
			(answer) => {
				const parts: Buffer[] = [];
				answer.on('data', (part: Buffer) => parts.push(part));
				answer.on('error', reject);
				answer.on('end', () => {
					resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) });
				});
			},
		);
		onward.on('error', reject);
		onward.end(body);
	});
}

function respond(
	outgoing: ServerResponse,
	{ status, headers, body }: RawResponse,
	fault: Fault | undefined,
): void {
	const own = new Set(['transfer-encoding', 'connection']);
	const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)));
	if (fault?.kind === 'resetAfter') return void outgoing.destroy();
	if (fault?.kind === 'cutBody') {
		outgoing.writeHead(status, { ...kept, 'content-length': String(body.length) });
		outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
		return;
	}
	if (fault?.kind === 'date') {
		outgoing.sendDate = false;
		if (fault.skew === undefined) delete kept.date;
		else kept.date = new Date(Date.now() + fault.skew).toUTCString();
	}
	const sent = fault?.kind === 'halfBody' ? body.subarray(0, Math.floor(body.length / 2)) : body;
	outgoing.writeHead(status, { ...kept, 'content-length': String(sent.length) }).end(sent);
}
