import fc from 'fast-check';
import { Difference } from './difference';
import { probes } from './probes';
import type { Probe } from './probes/probe';
import { shrink } from './shrink';
import { describeVariant, PLAIN, variants, type Variant } from './variant';
import { Trials } from './trial';

/** Runs after which the account is set up anew: its lists have become long by then. */
const SET_UP_ANEW = 20;
/** Kinds of differences that are shrunk and told; more of them say nothing more. */
const MAX_TOLD = 40;
/** Probes whose time is told. */
const MAX_TIMED = 8;

export interface Found {
	probe: string;
	/** How often it was met. */
	times: number;
	/** What was found, in the smallest variant that shows it. */
	what: string;
	variant: string;
}

export interface Proof {
	runs: number;
	/** How many probes were run. */
	tried: number;
	differences: number;
	found: Found[];
	/** The probes that took longest, in seconds of all their runs. */
	slowest: Record<string, number>;
}

export interface ProofOptions {
	runs: number;
	seed: number;
	/** Only probes whose name holds this text. */
	only?: string;
	/** This variant in all runs, and all probes in each. */
	variant?: Variant;
	/** Varies only these aspects; all if omitted. */
	aspects?: readonly string[];
	/** Stop at the first difference. */
	first?: boolean;
	/** Only each run whose number leaves `index` when divided by `of`. */
	part?: { index: number; of: number };
	progress?: (proof: Proof) => void;
}

/** What is different for a probe in a variant; undefined where all is as it has to be. */
async function differenceIn(trials: Trials, variant: Variant, probe: Probe): Promise<string | undefined> {
	const { isOnStage = false } = probe;
	const trial = await (isOnStage ? trials.withoutGrid(variant) : trials.trial(variant));
	try {
		await probe.run(trial);
		return undefined;
	} catch (error) {
		if (error instanceof Difference) return error.message;
		return error instanceof Error ? `The probe broke: ${error.stack ?? error.message}` : String(error);
	} finally {
		trials.service.variant = PLAIN;
		if (!isOnStage) await trials.truth.removeSpaceOf(trial.grid);
	}
}

/** Tries every operation and the trigger against random variants of the service. Seeded. */
export async function proveVariants(options: ProofOptions): Promise<Proof> {
	const { runs, seed, part = { index: 0, of: 1 } } = options;
	const prover = new Prover(await Trials.open());
	try {
		for (const [number, drawn] of fc.sample(variants, { numRuns: runs, seed }).entries()) {
			if (number % part.of !== part.index) continue;
			const done = prover.proof.runs;
			if (done > 0 && done % SET_UP_ANEW === 0) await prover.setUpAnew();
			const variant = options.variant ?? (options.aspects ? restricted(drawn, options.aspects) : drawn);
			for (const probe of partOf(number, options)) await prover.attempt(variant, probe);
			prover.proof.runs++;
			options.progress?.(prover.proof);
			if (options.first && prover.proof.differences > 0) break;
		}
	} finally {
		await prover.close();
	}
	return prover.proof;
}

/** Which probes are part of a run: each in as many runs as it asks for. */
function partOf(number: number, { only = '', variant }: ProofOptions): Probe[] {
	return probes.filter(
		({ name, every }, index) =>
			name.includes(only) && (variant !== undefined || (number + index) % every === 0),
	);
}

/** The variant with all other aspects plain. */
function restricted(variant: Variant, names: readonly string[]): Variant {
	const chosen = Object.fromEntries(Object.entries(variant).filter(([name]) => names.includes(name)));
	return { ...PLAIN, seed: variant.seed, ...chosen };
}

/** What differences of one cause have in common: their first line without figures. */
const kindOf = (what: string): string => what.split('\n', 1).join('').replace(/\d+/g, '#').slice(0, 100);

class Prover {
	readonly proof: Proof = { runs: 0, tried: 0, differences: 0, found: [], slowest: {} };
	private readonly byKind = new Map<string, Found>();
	private readonly seconds = new Map<string, number>();

	constructor(private trials: Trials) {}

	async setUpAnew(): Promise<void> {
		await this.trials.close();
		this.trials = await Trials.open();
	}

	async attempt(variant: Variant, probe: Probe): Promise<void> {
		const { proof, seconds } = this;
		proof.tried++;
		const begun = Date.now();
		const what = await differenceIn(this.trials, variant, probe);
		seconds.set(probe.name, (seconds.get(probe.name) ?? 0) + (Date.now() - begun) / 1000);
		if (what === undefined) return;
		proof.differences++;
		const kind = `${probe.name}: ${kindOf(what)}`;
		const known = this.byKind.get(kind);
		if (known) known.times++;
		else if (this.byKind.size < MAX_TOLD) this.byKind.set(kind, await this.shrunk(variant, probe, what));
		proof.found = [...this.byKind.values()];
	}

	async close(): Promise<void> {
		const slowest = [...this.seconds].sort(([, a], [, b]) => b - a).slice(0, MAX_TIMED);
		this.proof.slowest = Object.fromEntries(slowest.map(([name, sum]) => [name, Math.round(sum * 10) / 10]));
		await this.trials.close();
	}

	private async shrunk(variant: Variant, { name, ...probe }: Probe, what: string): Promise<Found> {
		const show = (candidate: Variant) => differenceIn(this.trials, candidate, { name, ...probe });
		const smallest = await shrink(variant, what, show);
		return { probe: name, times: 1, what: smallest.what, variant: describeVariant(smallest.variant) };
	}
}
