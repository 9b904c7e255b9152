import { createLimited, createOpen } from './create';
import { createOverFloor, readOverFloor } from './floor/floor';
import { findByKey } from './keys';
import { passFiles } from './files';
import { killSync } from './kill';
import { readLargePages, readMany, readSmallPages } from './read';
import { syncMany } from './sync';
import type { Bench } from './bench';
import type { Figure } from './figures';

/** Benchmarks by name on the command line. */
export const BENCHMARKS: Readonly<
	Record<string, (bench: Bench) => Promise<{ figures: Figure[]; runs: Record<string, unknown> }>>
> = {
	'floor-create': createOverFloor,
	'floor-read': readOverFloor,
	'create-limited': createLimited,
	'create-open': createOpen,
	'read-300': readSmallPages,
	'read-1000': readLargePages,
	'read-memory': readMany,
	sync: syncMany,
	keys: findByKey,
	files: passFiles,
	kill: killSync,
};
