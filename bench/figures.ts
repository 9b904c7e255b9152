import type { Taken } from './bench';
/** A line of the results */
export interface Figure {
	name: string;
	ours: number;
	/** n8n's HTTP Request node with the same work; null if it cannot do it */
	httpRequestNode: number | null;
	/** The axios loop with the same work; null if not comparable */
	limit: number | null;
	/** n8n's HTTP helper in a loop; null if not measured */
	helper: number | null;
	unit: string;
	/** Maximum for ours */
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
