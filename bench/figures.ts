import { z } from 'zod/v4';

/** A line of the results */
export const figureSchema = z.object({
	name: z.string(),
	ours: z.number(),
	/** n8n's HTTP Request node with the same work; null if it cannot do it */
	httpRequestNode: z.number().nullable(),
	/** The axios loop with the same work; null if not comparable */
	limit: z.number().nullable(),
	/** n8n's HTTP helper in a loop; null if not measured */
	helper: z.number().nullable().default(null),
	unit: z.string(),
	/** Maximum for ours */
	goal: z.number(),
	met: z.boolean(),
});
export type Figure = z.infer<typeof figureSchema>;

export function figureOf({
	name,
	ours,
	httpRequestNode = null,
	limit = null,
	helper = null,
	unit,
	goal,
}: Pick<Figure, 'name' | 'ours' | 'unit' | 'goal'> & Partial<Figure>): Figure {
	const round = (value: number) => Math.round(value * 10) / 10;
	const orNull = (value: number | null) => (value === null ? null : round(value));
	return {
		name,
		ours: round(ours),
		httpRequestNode: orNull(httpRequestNode),
		limit: orNull(limit),
		helper: orNull(helper),
		unit,
		goal: round(goal),
		met: ours <= goal,
	};
}

function median(values: readonly number[]) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The runs of each contender. */
export class Runs<Run> {
	readonly byName: Record<string, Run[]> = {};

	/** Runs contenders alternately, so that other load on the machine affects all. */
	static async alternating<Run>(
		times: number,
		contenders: Readonly<Record<string, () => Promise<Run>>>,
		onRun: (run: Run, label: string, name: string) => void,
	): Promise<Runs<Run>> {
		const runs = new Runs<Run>();
		for (let time = 1; time <= times; time++)
			for (const [name, once] of Object.entries(contenders)) {
				const run = await once();
				(runs.byName[name] ??= []).push(run);
				onRun(run, `${time}/${times}, ${name}`, name);
			}
		return runs;
	}

	median(name: string, of: (run: Run) => number): number {
		return median((this.byName[name] ?? []).map(of));
	}

	max(name: string, of: (run: Run) => number): number {
		return Math.max(...(this.byName[name] ?? []).map(of));
	}
}
