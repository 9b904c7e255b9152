/**
 * @typedef {object} Figure one line of the results
 * @property {string} name
 * @property {number} ours
 * @property {number | null} peer n8n's HTTP Request node on the same work; null where it cannot do it
 * @property {number | null} limit the bare axios loop on the same work; null where it says nothing
 * @property {string} unit
 * @property {number} goal ours is to be at most this
 * @property {boolean} met
 */

/**
 * @param {Omit<Figure, 'met'>} figure
 * @returns {Figure}
 */
export function figureOf({ name, ours, peer, limit, unit, goal }) {
	const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
	return {
		name,
		ours: round(ours),
		peer: peer === null ? null : round(peer),
		limit: limit === null ? null : round(limit),
		unit,
		goal: round(goal),
		met: ours <= goal,
	};
}

/** A run as it stands in the results. @param {import('./bench.mjs').Taken} taken */
export function runOf({ took, seen, cpu, note }) {
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

/** @typedef {ReturnType<typeof runOf>} Run */
