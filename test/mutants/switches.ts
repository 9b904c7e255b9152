import { appendFileSync } from 'node:fs';
import { env } from 'node:process';

/**
 * Runs before each test file in a copy of the project with switchable mutants: switches the mutant
 * `MUTANT` on and records in `MUTANTS_REACHED` which mutants the file reaches.
 */
const active = Number(env['MUTANT'] ?? Number.NaN);
const notes = env['MUTANTS_REACHED'];
const reached = new Set<number>();

Object.assign(globalThis, {
	mutantIsOn: (id: number): boolean => {
		if (notes !== undefined && !reached.has(id)) {
			reached.add(id);
			appendFileSync(notes, `${id} ${expect.getState().testPath ?? ''}\n`);
		}
		return id === active;
	},
});
