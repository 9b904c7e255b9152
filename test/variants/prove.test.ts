import '../fixtures/skippedWaits';
import { writeFileSync } from 'node:fs';
import { repetitions } from '../fixtures/repetitions';
import { proveVariants, type Found, type Proof } from './prove';
import { readVariant } from './variant';

const HOURS = 3 * 3_600_000;
const asked = (name: string): string | undefined => process.env[`PROVE_${name}`];
const results = asked('RESULTS');

const command = ({ probe, variant }: Found): string =>
	`npm run prove -- --variant '${variant.replaceAll("'", "'\\''")}' --probe '${probe}'`;
const describeFound = (found: Found): string =>
	`${found.times} × ${found.probe}: ${found.what}\n    ${command(found)}\n`;

/** Which of the runs are this process's, such as `0/2`: each second, from the first. */
const [index = 0, of = 1] = (asked('PART') ?? '0/1').split('/').map(Number);

/** For `npm run prove`, how far it is and what was found since. */
function reporter(runs: number): (proof: Proof) => void {
	let told = 0;
	let shown = Date.now();
	return ({ runs: done, tried, differences, found }) => {
		for (const one of found.slice(told)) process.stderr.write(`\n${describeFound(one)}`);
		told = found.length;
		if (Date.now() - shown < 5000 && done < runs) return;
		shown = Date.now();
		process.stderr.write(`${done}/${runs} variants, ${tried} probes, ${differences} differences\n`);
	};
}

const runs = Number(asked('RUNS') ?? repetitions({ inCi: 12, local: 10 }));

it(
	'every operation and the trigger are right with every service that obeys the specification',
	async () => {
		const begun = Date.now();
		const variant = asked('VARIANT');
		const proof = await proveVariants({
			runs,
			seed: Number(asked('SEED') ?? '1'),
			only: asked('PROBE') ?? '',
			...(variant === undefined ? {} : { variant: readVariant(JSON.parse(variant)) }),
			...(asked('ASPECTS') === undefined ? {} : { aspects: asked('ASPECTS')?.split(',') ?? [] }),
			first: asked('FIRST') !== undefined,
			part: { index, of },
			...(results === undefined ? {} : { progress: reporter(Math.ceil((runs - index) / of)) }),
		});
		if (results !== undefined) {
			const seconds = Math.round((Date.now() - begun) / 1000);
			const { runs: done, tried, differences, slowest } = proof;
			writeFileSync(results, JSON.stringify({ runs: done, tried, differences, seconds, slowest }));
		}
		expect(proof.found.map(describeFound).join('\n')).toBe('');
	},
	HOURS,
);
