import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { argv, env, execArgv, execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod/v4';
import { runCommand } from '../../scripts/setup/entry.mjs';
import { Fault } from '../../scripts/setup/faults.mjs';
import { interruption } from '../../scripts/setup/interruption.mjs';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { buildProject } from '../../scripts/setup/project.mjs';
import { ensureTools, type SystemTool } from '../../scripts/setup/system.mjs';
import { failureText, countSkipped, summaryOf, type Tally } from '../../scripts/setup/tally.mjs';
import { duration, say } from '../../scripts/setup/terminal.mjs';

/** A test file and what it needs. */
export interface Part {
	file: string;
	/** Of n8n; default: the one that `npm start` runs */
	version?: string;
	/** What it needs of the system */
	tools?: readonly SystemTool[];
}

/** The longest ones first; at the start one that mostly waits for packages and images. */
const PARTS: Readonly<Record<string, Part>> = {
	containers: { file: 'containers.test.ts', tools: ['docker'] },
	mistakes: { file: 'mistakes.test.ts', tools: ['chromium'] },
	examples: { file: 'examples.test.ts' },
	jobs: { file: 'jobs.test.ts', tools: ['chromium'] },
	features: { file: 'features.test.ts' },
	queue: { file: 'queue.test.ts', tools: ['redis', 'postgresql'] },
	crash: { file: 'crash.test.ts' },
	browser: { file: 'browser.test.ts', tools: ['chromium'] },
	secrets: { file: 'secrets.test.ts' },
	trigger: { file: 'trigger.test.ts' },
	oldest: { file: 'install.test.ts', version: '1.123.81' },
	install: { file: 'install.test.ts' },
	defaults: { file: 'defaults.test.ts' },
	layout: { file: 'layout.test.ts' },
};
/** Most parts wait more than they work. */
const MOST_PER_CORE = 2;
/** Runnable processes for each core above which no further part starts. */
const MOST_LOAD_PER_CORE = 4;
/** After which a part is ended and has failed: only a defect takes so long. */
const LIMIT_MINUTES = 45;
const LOOK_MS = 5000;
const GRACE_MS = 20_000;
const STILL_MS = 30_000;

const resultFolder = join(root, 'build', 'e2e');

const tallySchema = z.object({
	passed: z.number(),
	failed: z.number(),
	skipped: z.number(),
	failures: z.array(z.string()),
});

/** What the reporter has written, or undefined if the tests did not get to their end. */
async function readTally(file: string): Promise<Tally | undefined> {
	try {
		return tallySchema.parse(JSON.parse(await readFile(file, 'utf8')));
	} catch {
		return undefined;
	}
}

/**
 * Runs the tests of one part in a process of their own;
 * what they print comes in one piece, at their end.
 */
async function runPart(name: string, { file, version = PINNED_N8N }: Part): Promise<Tally> {
	const began = performance.now();
	const counts = join(resultFolder, `${name}.tally.json`);
	await rm(counts, { force: true });
	const reporter = (name: string) => pathToFileURL(join(__dirname, 'reporter', name)).href;
	const reporters = [
		['spec', 'stdout'],
		[reporter('tally.ts'), counts],
	].flatMap(([one, into]) => [`--test-reporter=${one ?? ''}`, `--test-reporter-destination=${into ?? ''}`]);
	// `execArgv` carries the loader of TypeScript.
	const args = [...execArgv, '--import', reporter('abandon.ts'), ...reporters, join(__dirname, file)];
	const child = spawn(execPath, args, {
		cwd: root,
		env: { ...env, E2E_N8N_VERSION: version },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
		});
	}
	const end = () => {
		child.kill('SIGTERM');
		setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
	};
	const limit = setTimeout(() => {
		printed += `\n✖ not done after ${String(LIMIT_MINUTES)} minutes\n`;
		end();
	}, LIMIT_MINUTES * 60_000);
	const still = setInterval(() => {
		say(`  … e2e ${name}: ${duration(performance.now() - began)}`);
	}, STILL_MS);
	interruption.addEventListener('abort', end, { once: true });

	const code: unknown = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	clearTimeout(limit);
	clearInterval(still);
	interruption.removeEventListener('abort', end);
	const counted = await readTally(counts);
	say(`\n== e2e ${name}: ${duration(performance.now() - began)}\n${printed.trim()}`);
	const { passed = 0, failed = 0, skipped = 0, failures = [] } = counted ?? {};
	// A part that did not get to its end, or ended badly
	// after its last test, has failed whatever it counted.
	if (code === 0 || failed > 0) return { passed, failed, skipped, failures };
	return { passed, failed: 1, skipped, failures: [failureText(`e2e ${name}`, printed.slice(-1_000))] };
}

/** @returns over all */
async function runParts(parts: readonly { name: string; part: Part }[]): Promise<Tally> {
	const waiting = [...parts];
	const total: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
	const cores = availableParallelism();
	const running = new Set<Promise<void>>();
	const isBusy = () =>
		running.size >= MOST_PER_CORE * cores ||
		(running.size > 0 && (loadavg()[0] ?? 0) > MOST_LOAD_PER_CORE * cores);
	const add = async ({ name, part }: { name: string; part: Part }) => {
		const { passed, failed, skipped, failures } = await runPart(name, part);
		total.passed += passed;
		total.failed += failed;
		total.skipped += skipped;
		total.failures.push(...failures);
	};
	for (let next = waiting.shift(); next && !interruption.aborted; next = waiting.shift()) {
		const part = add(next).finally(() => running.delete(part));
		running.add(part);
		// A part that has just started is not in the load yet.
		do await Promise.race([...running, wait(LOOK_MS)]);
		while (isBusy());
	}
	await Promise.all(running);
	return total;
}

/**
 * `npm run e2e [-- part …]`: the package in real n8n processes, as users run it. What passed and
 * failed is counted in `build/e2e.json`.
 */
void runCommand(async () => {
	const asked = argv.slice(2);
	const parts = (asked.length === 0 ? Object.keys(PARTS) : asked).map((name) => {
		const part = PARTS[name];
		if (part === undefined) {
			throw new Fault(
				`There is no part "${name}".`,
				`Take any of ${Object.keys(PARTS).join(', ')}, or none for all.`,
			);
		}
		return { name, part };
	});
	const report = join(root, 'build', 'e2e.json');
	await mkdir(resultFolder, { recursive: true });
	await rm(report, { force: true });
	await ensureTools([...new Set(parts.flatMap(({ part }) => part.tools ?? []))]);
	for (const version of new Set(parts.map(({ part }) => part.version ?? PINNED_N8N)))
		await installN8n(version);
	await buildProject();
	const tally = countSkipped(await runParts(parts));
	await writeFile(report, JSON.stringify(tally));
	say(`\ne2e: ${summaryOf(tally)}`);
	return tally.failed === 0;
});
