import { createLimited, createOpen, createStandIn } from './create.mjs';
import { createThroughCuts } from './cuts.mjs';
import { readLargePages, readMany, readSmallPages } from './read.mjs';
import { syncMany } from './sync.mjs';
import { weigh } from './weight.mjs';

/**
 * Each by the name that it is asked for with.
 * @type {Readonly<Record<string, (bench: import('./bench.mjs').Bench) => Promise<{ figures: import('./figures.mjs').Figure[], runs: Record<string, unknown> }>>>}
 */
export const BENCHMARKS = {
	'create-limited': createLimited,
	'create-open': createOpen,
	'create-stand-in': createStandIn,
	'read-300': readSmallPages,
	'read-1000': readLargePages,
	'read-memory': readMany,
	sync: syncMany,
	cuts: createThroughCuts,
	weight: weigh,
};
