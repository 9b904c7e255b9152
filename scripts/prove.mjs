import { parseArgs } from 'node:util';
import { prove } from '../test/simulation/trigger/prove.ts';
import { proveVariants } from './prove/variants.mjs';

const usage = `Usage: npm run prove -- [options]
  --runs <number>       number of random services (1000)
  --seed <number>       seed of the random services (1)
  --only <part>         trigger: the trigger's algorithm in virtual time; variants: the nodes in n8n's engine
  --variant <json>      only this variant of the service, as printed with a difference
  --probe <text>        only probes whose name contains this text
  --aspects <a,b>       vary only these aspects of the service
  --first               stop at the first difference
`;

function read() {
	try {
		const { values } = parseArgs({
			options: {
				runs: { type: 'string' },
				seed: { type: 'string', default: '1' },
				only: { type: 'string' },
				variant: { type: 'string' },
				probe: { type: 'string' },
				aspects: { type: 'string' },
				first: { type: 'boolean', default: false },
			},
		});
		const { seed, only, runs = values.variant === undefined ? '1000' : '1' } = values;
		if (/^[1-9]\d*$/.test(runs) && /^\d+$/.test(seed) && ['trigger', 'variants', undefined].includes(only))
			return { ...values, runs };
	} catch {
		// An unknown option.
	}
	process.stderr.write(usage);
	return process.exit(2);
}

const values = read();
const { runs, seed, variant, probe, aspects, first } = values;
const ofVariants = variant ?? probe ?? aspects;
const only = values.only ?? (ofVariants === undefined ? undefined : 'variants');

let shown = 0;
/** @param {number} done @param {number} events */
function progress(done, events) {
	if (performance.now() - shown < 1000 && done < Number(runs)) return;
	shown = performance.now();
	process.stderr.write(`${done}/${runs} runs, ${events} events\n`);
}

/** @type {Record<string, object>} */
const proofs = {};
let wrong = 0;
if (only !== 'variants') {
	process.stderr.write("The trigger's algorithm in virtual time …\n");
	const { counterexample, ...proof } = await prove(Number(seed), Number(runs), progress);
	if (counterexample) process.stderr.write(`The first failed run: ${counterexample}\n`);
	wrong += proof.lost + proof.duplicated + proof.mismarked + proof.disordered;
	wrong += proof.unquiet + proof.wrongMoves;
	proofs['trigger'] = proof;
}
if (only !== 'trigger') {
	process.stderr.write("The nodes in n8n's engine, against variants of the service …\n");
	const filters = { variant, probe, aspects, first: first ? 'yes' : undefined };
	const proof = await proveVariants({ runs, seed, ...filters });
	wrong += proof.differences;
	proofs['variants'] = proof;
}
process.stdout.write(`${JSON.stringify(proofs)}\n`);
process.exitCode = wrong === 0 ? 0 : 1;
