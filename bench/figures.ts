import type { Taken } from './bench';
/** One line of the results */
export interface Figure {
	name: string;
	ours: number;
	/** N8n's HTTP Request node on the same work; null where it cannot do it */
	httpRequestNode: number | null;
	/** The bare axios loop on the same work; null where it says nothing */
	limit: number | null;
	unit: string;
	/** Ours is to be at most this */
	goal: number;
	met: boolean;
}

export function figureOf({ name, ours, httpRequestNode, limit, unit, goal }: Omit<Figure, 'met'>): Figure {
	const round = (value: number) => Math.round(value * 10) / 10;
	return {
		name,
		ours: round(ours),
		httpRequestNode: httpRequestNode === null ? null : round(httpRequestNode),
		limit: limit === null ? null : round(limit),
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
