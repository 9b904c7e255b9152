import { z } from 'zod/v4';
import type { Taken } from './bench';

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
	return {
		name,
		ours: round(ours),
		httpRequestNode: httpRequestNode === null ? null : round(httpRequestNode),
		limit: limit === null ? null : round(limit),
		helper: helper === null ? null : round(helper),
		unit,
		goal: round(goal),
		met: ours <= goal,
	};
}

/** A run in the results. */
export function runOf({ took, seen, cpu, note }: Taken) {
	const { requests, refused, highest } = seen;
	return {
		took: Math.round(took),
		requests,
		refused,
		highest,
		cpu: {
			client: Math.round(cpu.client),
			proxy: Math.round(cpu.proxy),
			service: Math.round(cpu.service),
		},
		...(note?.error === undefined ? {} : { error: note.error.slice(0, 200) }),
	};
}

export type Run = ReturnType<typeof runOf>;
