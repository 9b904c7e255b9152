import { existsSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { withBrowser } from '../../testbed/browser';
import { end, fill, folder, spawnService } from './targets';

/**
 * Load times of the service's page and frame rates while a large grid is scrolled, from the
 * browser's trace. Argument: rows of the grid (100,000).
 */
const [size = 100_000] = process.argv.slice(2).map(Number);
const LOADS = 9;
const MAX_TRACE_MS = 60_000;
/** Scrolling at reading speed, and from the first row to the last. */
const SCROLLS = [
	{ what: 'wheel, 3,000 px/s', distance: 15_000, speed: 3000 },
	{ what: 'first row to last', distance: 3_600_000, speed: 600_000 },
];

const eventSchema = z.object({
	name: z.string(),
	cat: z.string(),
	ts: z.number(),
	pid: z.number(),
	tid: z.number(),
	dur: z.number().default(0),
	/** Processor time of the thread, microseconds: it does not depend on other load. */
	tdur: z.number().default(0),
	args: z.looseObject({ name: z.unknown() }).optional(),
});
type TraceEvent = z.infer<typeof eventSchema>;

/** Traces a function in the browser. @returns the events */
async function traced(session: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> {
	const events: TraceEvent[] = [];
	const collect = ({ value }: { value: unknown[] }) => {
		for (const event of value) {
			const parsed = eventSchema.safeParse(event);
			if (parsed.success) events.push(parsed.data);
		}
	};
	session.on('Tracing.dataCollected', collect);
	const included = ['__metadata', 'toplevel', 'blink', 'loading', 'devtools.timeline', 'devtools.timeline.frame', 'disabled-by-default-devtools.timeline.frame', 'blink.user_timing']; // prettier-ignore
	await session.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: included },
	});
	await act();
	const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
	await session.send('Tracing.end');
	await complete;
	session.off('Tracing.dataCollected', collect);
	return events.sort((one, other) => one.ts - other.ts);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN; // prettier-ignore
const load = () => loadavg()[0]?.toFixed(1) ?? '';

/** Milliseconds from navigation to the first content, and to the first row of the grid. */
async function firstPaint(page: Page, session: CDPSession, url: string) {
	await session.send('Network.setCacheDisabled', { cacheDisabled: true });
	const events = await traced(session, async () => {
		await page.goto(url);
		await page.getByRole('button', { name: 'Rows', exact: true }).waitFor();
	});
	const at = (name: string) => events.findLast((event) => event.name === name)?.ts ?? NaN;
	const begun = performance.now();
	await page.getByRole('button', { name: 'Rows', exact: true }).click();
	await page.getByText('Title 0', { exact: true }).waitFor();
	return {
		paint: (at('firstContentfulPaint') - at('navigationStart')) / 1000,
		rows: performance.now() - begun,
	};
}

const STEPS = {
	script: 'FunctionCall',
	style: 'UpdateLayoutTree',
	layout: 'Layout',
	prePaint: 'PrePaint',
	paint: 'Paint',
};

/** Processor milliseconds of the page's main thread for each of its frames, in all and by step. */
function mainThreadWork(events: readonly TraceEvent[]) {
	const threads = events.filter(
		({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
	);
	const main = events.filter(({ pid, tid }) => threads.some((one) => one.pid === pid && one.tid === tid));
	const frames = main.filter(({ name }) => name === 'BeginMainThreadFrame').length;
	const timesOf = (wanted: string) => main.filter(({ name }) => name === wanted).map(({ tdur }) => tdur / 1000); // prettier-ignore
	const perFrame = (wanted: string) => timesOf(wanted).reduce((sum, ms) => sum + ms, 0) / frames;
	const tasks = timesOf('ThreadControllerImpl::RunTask').sort((one, other) => one - other);
	const steps = Object.entries(STEPS).map(([step, name]) => `${step} ${perFrame(name).toFixed(1)}`);
	return `${perFrame('ThreadControllerImpl::RunTask').toFixed(1)} ms of processor time a frame (${steps.join(', ')}), 99 % of tasks within ${(tasks[Math.floor(tasks.length * 0.99)] ?? NaN).toFixed(1)} ms, longest ${(tasks.at(-1) ?? NaN).toFixed(1)} ms`;
}

/** Frames while a grid is scrolled. */
async function scroll(session: CDPSession, page: Page, { distance, speed }: (typeof SCROLLS)[number]) {
	const box = await page.locator('.grid').boundingBox();
	if (!box) throw new Error('The grid is not shown');
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	const events = await traced(session, async () => {
		await session.send('Input.synthesizeScrollGesture', {
			x,
			y,
			yDistance: -distance,
			speed,
			preventFling: true,
		});
	});
	const drawn = events.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts / 1000);
	const gaps = drawn.slice(1).map((time, index) => time - (drawn[index] ?? time));
	const seconds = ((drawn.at(-1) ?? 0) - (drawn[0] ?? 0)) / 1000;
	return {
		perSecond: gaps.length / seconds,
		late: gaps.filter((gap) => gap > 25).length / gaps.length,
		longest: Math.max(...gaps),
		work: mainThreadWork(events),
		dropped: events.filter(({ name }) => name === 'DroppedFrame').length,
		seconds,
	};
}

async function main(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const data = join(folder, `rows-${size}.db`);
	if (!existsSync(data)) fill(data, size);
	const { child, url, authorization } = await spawnService(data);
	try {
		await withBrowser(async ({ page }) => {
			page.setDefaultTimeout(MAX_TRACE_MS);
			await page.addInitScript(`sessionStorage.setItem('authorization', ${JSON.stringify(authorization)})`);
			const session = await page.context().newCDPSession(page);
			const loads = [];
			for (let n = 0; n < LOADS; n++) loads.push(await firstPaint(page, session, url));
			const paints = loads.map(({ paint }) => paint);
			process.stdout.write(`First paint, ms: median ${median(paints).toFixed(0)}, longest ${Math.max(...paints).toFixed(0)}; first row after a click: median ${median(loads.map(({ rows }) => rows)).toFixed(0)} (load ${load()})\n`); // prettier-ignore
			for (const one of SCROLLS) {
				const { perSecond, late, longest, work, dropped, seconds } = await scroll(session, page, one);
				process.stdout.write(
					`${one.what}: ${perSecond.toFixed(1)} frames/s over ${seconds.toFixed(1)} s, ${(late * 100).toFixed(1)} % later than 25 ms, longest ${longest.toFixed(0)} ms, dropped ${dropped}; main thread: ${work}; now at: ${await page.locator('#position').innerText()} (load ${load()})\n`,
				);
			}
		});
	} finally {
		await end(child);
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
