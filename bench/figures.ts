import type { Taken } from './bench';
/** One line of the results */
export interface Figure {
	name: string;
	ours: number;
	/** N8n's HTTP Request node on the same work; null where it cannot do it */
	httpRequestNode: number | null;
	/** The bare axios loop on the same work; null where it says nothing */
	limit: number | null;
	/** N8n's HTTP helper, which every node has to use, in a loop; null where it is not measured */
	helper: number | null;
	unit: string;
	/** Ours is to be at most this */
	goal: number;
	met: boolean;
}

export function figureOf({
	name,
	ours,
	httpRequestNode,
	limit,
	helper = null,
	unit,
	goal,
}: Omit<Figure, 'met' | 'helper'> & { helper?: number | null }): Figure {
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

/** A run as it stands in the results. */
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
