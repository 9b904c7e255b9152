import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { z } from 'zod/v4';
import { median, type Bench } from './bench';
import { figureOf } from './figures';
import { turnSchema } from './floor/floor';
import type { FloorOrder } from './floor/worker';
import { startDistance, startProxy, startWorker, type Identity } from './target/control';
import { startTargetService } from './target/service';
import { WIDE } from './target/shapes';

/** Typical of a service on another continent. */
const ROUND_TRIP_MS = 200;
/** Concurrent requests of the node and of both loops. */
const CEILING = 64;
/** Goal: at most this multiple of n8n's HTTP helper in a loop. */
const OVER_HELPER = 1.3;

const loopSchema = z.object({ took: z.number(), cpu: z.number(), failed: z.number() });

/** Milliseconds per row */
interface PerRow {
	took: number;
	cpu: number;
}
type Contender = 'ours' | 'helper' | 'limit';

/** A certificate that clients verify, because they trust its issuer. */
async function identityIn(folder: string): Promise<Identity> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		algorithm: 'sha256',
		keyType: 'ec',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
		],
	});
	const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') };
	await writeFile(files.key, key, { mode: 0o600 });
	await writeFile(files.certificate, cert);
	return files;
}

/** Creates over a distance: the node, n8n's HTTP helper, and axios with keep-alive connections. */
async function overDistance(bench: Bench, rows: number, identity?: Identity) {
	const label = identity === undefined ? 'HTTP' : 'HTTPS';
	const target = await startTargetService(0, WIDE);
	const proxy = await startProxy(identity);
	const distance = await startDistance(proxy, ROUND_TRIP_MS);
	// Node's variable for additional issuers, also documented by n8n.
	const variables: Record<string, string> =
		identity === undefined ? {} : { NODE_EXTRA_CA_CERTS: identity.certificate };
	const engine = await startWorker('floor/worker.ts', ['--expose-gc'], { variables });
	const loop = await startWorker('limit/loop.ts', [], { variables });
	const { key, secret, spaceId, grid, entities } = target;
	const once = async (contender: Contender, ceiling: number, count: number): Promise<PerRow> => {
		await proxy.set({ target: target.url, delay: 0, takes: CEILING, standsIn: true });
		if (contender === 'limit') {
			const bodies = Array.from({ length: count }, (_, n) => WIDE.rowOf(n));
			const order = { work: 'create', ceiling, rows: bodies, authorization: target.authorization };
			const answer = await loop.ask({ ...order, url: `${distance.url}${entities}` });
			const { took, cpu, failed } = loopSchema.parse(answer);
			if (failed > 0) throw new Error(`${label}, ${contender}: ${failed} requests failed`);
			return { took: took / count, cpu: cpu / count };
		}
		const account = { key, secret, spaceId, gridId: grid.id, entities, baseUrl: distance.url };
		const order: FloorOrder = {
			...account,
			work: 'create',
			contender: contender === 'ours' ? 'ours' : 'loop',
			rows: count,
			ceiling,
			pageSize: 1000,
			keyColumn: '',
			turn: 0,
			isProfiled: false,
		};
		const turn = turnSchema.parse(await engine.ask({ ...order }));
		if (turn.error !== undefined || turn.items !== count)
			throw new Error(`${label}, ${contender}: ${turn.items} of ${count} rows ${turn.error ?? ''}`);
		return { took: turn.wall / count, cpu: turn.cpu / count };
	};
	const contenders = ['ours', 'helper', 'limit'] as const;
	const few: Partial<Record<Contender, PerRow>> = {};
	const many: Record<Contender, PerRow[]> = { ours: [], helper: [], limit: [] };
	try {
		for (const contender of contenders) await once(contender, CEILING, 200);
		for (const contender of contenders) few[contender] = await once(contender, 1, 10);
		for (let time = 1; time <= Math.min(3, bench.times); time++)
			for (const contender of contenders) {
				const run = await once(contender, CEILING, rows);
				many[contender].push(run);
				bench.say(
					`  far ${label} ${time}, ${contender}: ${run.took.toFixed(1)} ms per row, ${run.cpu.toFixed(2)} ms of processor time; one at a time ${few[contender]?.took.toFixed(0) ?? '–'} ms`,
				);
			}
	} finally {
		engine.stop();
		loop.stop();
		distance.stop();
		proxy.stop();
		await target.stop();
	}
	const at = (contender: Contender, of: keyof PerRow) => median(many[contender].map((run) => run[of]));
	const title = `Creates over ${label} at a distance of ${ROUND_TRIP_MS} ms`;
	const figure = (name: string, [own, helper, limit]: [number, number, number]) =>
		figureOf({
			name: `${title}, ${name}`,
			...{ ours: own, helper, limit, httpRequestNode: null },
			unit: 'ms',
			goal: OVER_HELPER * helper,
		});
	const each = (of: (contender: Contender) => number): [number, number, number] => [
		of('ours'),
		of('helper'),
		of('limit'),
	];
	return {
		figures: [
			figure(
				'one at a time: time per row',
				each((contender) => few[contender]?.took ?? Number.NaN),
			),
			figure(
				`${CEILING} at a time: time per row`,
				each((contender) => at(contender, 'took')),
			),
			figure(
				`${CEILING} at a time: processor time per row`,
				each((contender) => at(contender, 'cpu')),
			),
		],
		runs: { one: few, many },
	};
}

/** Creates against a far service, without and with TLS. */
export async function createFarAway(bench: Bench) {
	const rows = bench.quick ? 500 : 1000;
	const folder = await mkdtemp(join(tmpdir(), 'bench-far-'));
	try {
		const plain = await overDistance(bench, rows);
		const encrypted = await overDistance(bench, rows, await identityIn(folder));
		return {
			figures: [...plain.figures, ...encrypted.figures],
			runs: { plain: plain.runs, encrypted: encrypted.runs },
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
