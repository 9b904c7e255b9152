import fc from 'fast-check';
import { request as send } from 'node:http';
import { allRoutes } from '../../service/routes/all';
import { href, last, makeGrid, startWithOwner } from '../contract/service/http';
import { note, type FuzzResult } from './client';
import { attempts, type Attempt } from './hostileRequests';

/** Milliseconds without an answer that count as none coming. */
const NO_ANSWER = 20_000;
/** Runs after which the service is set up anew: by then much of it has been deleted. */
const SET_UP_ANEW = 250;

/** A service with one of everything. */
async function setUp(onFault: (error: unknown) => void) {
	const context = await startWithOwner({ onFault, bodyLimit: 200_000 });
	const { owner, service } = context;
	const made = await makeGrid(owner, { a: { name: 'string' }, n: { name: 'integer' }, d: { name: 'date' } });
	const [form] = await owner.items(`${made.grid}/forms`);
	const ids = new Map([
		['userId', owner.userId],
		['spaceId', last(made.space)],
		['gridId', last(made.grid)],
		['fieldId', made.ids['a'] ?? ''],
		['entityId', last(await owner.create(`${made.grid}/entities`, { fields: ['x', 1, '2026-01-01'] }))],
		['formId', last(href(form ?? {}, 'self'))],
		[
			'sviewId',
			last(await owner.create(`${made.grid}/sviews`, { type: 'x', properties: {}, slotProperties: {} })),
		],
		['linkId', last(await owner.create(`${made.grid}/links`, { kind: 'form' }))],
	]);
	const authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
	return { service, ids, authorization };
}
type Target = Awaited<ReturnType<typeof setUp>>;

/** What no answer may hold: a trace, a word of the database, a file of the machine, the secret. */
const INSIDE =
	/\n\s+at |node_modules|\.[jt]s:\d+|SQLITE|no such (?:column|table)|constraint failed|syntax error near|root:.*:0:0/i;

function pathOf({ ids }: Target, { route, strange, which, raw, query }: Attempt): string {
	let number = 0;
	const path = (allRoutes[route]?.path ?? '').replace(/:(\w+)/g, (_match, name: string) => {
		const id = strange !== null && number++ === which % 5 ? strange : (ids.get(name) ?? 'x');
		return raw && /^[\w./%~-]*$/.test(id) ? id : encoded(id);
	});
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(withIds(ids, value))}`);
	return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
const withIds = (ids: ReadonlyMap<string, string>, text: string) =>
	text.replace(/\{(\w+Id)\}/g, (_match, name: string) => ids.get(name) ?? 'x');

/** Sends a request as it is, dots and all. @returns undefined where no answer comes */
function exchange(target: Target, attempt: Attempt): Promise<{ status: number; text: string } | undefined> {
	const { hostname, port } = new URL(target.service.url);
	const content = attempt.body === null ? undefined : withIds(target.ids, attempt.body.content);
	const method = attempt.method || (allRoutes[attempt.route]?.method ?? 'GET');
	const own = {
		authorization: target.authorization,
		...(attempt.body ? { 'content-type': attempt.body.type } : {}),
	};
	return new Promise((resolve) => {
		const request = send({
			hostname,
			port,
			method,
			path: pathOf(target, attempt),
			headers: { ...own, ...attempt.headers },
			timeout: NO_ANSWER,
		});
		request.on('response', (response) => {
			const parts: Buffer[] = [];
			response.on('data', (data: Buffer) => parts.push(data));
			response.on('close', () => {
				resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
			});
		});
		request.on('timeout', () => {
			request.destroy();
			resolve(undefined);
		});
		// A request that breaks HTTP itself is ended without an answer.
		request.on('error', () => {
			resolve({ status: 0, text: '' });
		});
		request.end(attempt.method === 'TRACE' ? undefined : content);
	});
}

/** Seeded, over real HTTP: every endpoint of the route table against requests that mean ill. */
export async function fuzzService(
	seed: number,
	runs: number,
	progress: (result: FuzzResult) => void = () => undefined,
	inside = INSIDE,
): Promise<FuzzResult> {
	const result: FuzzResult = { runs: 0, inputs: 0, results: 0, messages: 0, crashes: 0, hangs: 0 };
	const faults: unknown[] = [];
	const begin = async () => await setUp((error) => faults.push(error));
	let target = await begin();
	for (const attempt of fc.sample(attempts, { numRuns: runs, seed })) {
		if (result.runs > 0 && result.runs % SET_UP_ANEW === 0) {
			await target.service.stop();
			target = await begin();
		}
		const reply = await exchange(target, attempt);
		result.runs++;
		result.inputs++;
		const fault = faults.splice(0).map(String).join(', ');
		const shown =
			reply !== undefined && (inside.test(reply.text) || reply.text.includes(target.service.secret));
		const crashed = fault !== '' || shown || reply?.status === 500;
		if (reply === undefined) result.hangs++;
		else if (crashed) result.crashes++;
		else result[reply.status < 400 ? 'results' : 'messages']++;
		if (crashed || reply === undefined) {
			const { method, path } = allRoutes[attempt.route] ?? {};
			result.counterexample ??= JSON.stringify({ method, path, fault, reply, attempt }).slice(0, 4000);
			note(result, `${method ?? ''} ${path ?? ''}: ${fault || String(reply?.status ?? 'no answer')}`);
		}
		progress(result);
	}
	await target.service.stop();
	return result;
}
