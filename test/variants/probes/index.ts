import { changeProbes } from './change';
import { createProbes } from './create';
import { historyProbes } from './history';
import { keyedProbes } from './keyed';
import { listProbes } from './lists';
import { movingProbes } from './moving';
import { offeredProbes } from './offered';
import type { Probe } from './probe';
import { readProbes } from './read';
import { selectionProbes } from './selection';
import { syncProbes } from './sync';
import { triggerProbes } from './trigger';
import { updateProbes } from './updates';

/** What is tried in every variant. */
export const probes: readonly Probe[] = [
	...createProbes,
	...changeProbes,
	...readProbes,
	...movingProbes,
	...selectionProbes,
	...keyedProbes,
	...syncProbes,
	...historyProbes,
	...updateProbes,
	...triggerProbes,
	...listProbes,
	...offeredProbes,
];
