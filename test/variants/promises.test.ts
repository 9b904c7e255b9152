import fc from 'fast-check';
import type { Dials } from './aspect';
import { Difference } from './difference';
import { checkPromises } from './promises';
import { aspects, describeVariant, PLAIN, readVariant, variants, type Variant } from './variant';
import { Trials } from './trial';

/** Milliseconds; on a machine with much other work a variant takes half a second. */
const LONGEST = 120_000;

let trials: Trials;
beforeAll(async () => {
	trials = await Trials.open();
});
afterAll(() => trials.close());

async function brokenIn(variant: Variant): Promise<string | undefined> {
	const trial = await trials.trial(variant);
	const broken = await checkPromises(trial).then(
		() => undefined,
		(error: unknown) =>
			`${error instanceof Error ? (error.stack ?? '') : String(error)} in ${describeVariant(variant)}`,
	);
	await trials.truth.removeSpaceOf(trial.grid);
	return broken;
}

/** Aspects with their dials. */
const all: Array<[string, { dials: Dials }]> = Object.entries(aspects);

/** The choice of this number of every dial at once; the last one of those that have fewer. */
function choiceOfAll(number: number): Variant {
	const settings = all.map(([name, { dials }]) => [
		name,
		Object.fromEntries(
			Object.entries(dials).map(([dial, choices]) => [dial, choices[Math.min(number, choices.length - 1)]]),
		),
	]);
	return readVariant(Object.fromEntries(settings));
}

test(
	'each choice of each aspect keeps what the specification promises',
	async () => {
		const most = Math.max(
			...all.flatMap(([, { dials }]) => Object.values(dials).map(({ length }) => length)),
		);
		const broken: unknown[] = [];
		for (let number = 1; number < most; number++) broken.push(await brokenIn(choiceOfAll(number)));
		expect(broken.filter((one) => one !== undefined)).toEqual([]);
	},
	LONGEST,
);

test(
	'random variants keep what the specification promises',
	async () => {
		const broken: unknown[] = [];
		for (const variant of fc.sample(variants, { numRuns: 30, seed: 3 })) broken.push(await brokenIn(variant));
		expect(broken.filter((one) => one !== undefined)).toEqual([]);
	},
	LONGEST,
);

test('a service that breaks a promise is found', async () => {
	const trial = await trials.trial(PLAIN);
	trials.service.intercept = ({ method, path }) =>
		method === 'DELETE' && path.includes('/entities/')
			? { status: 204, headers: {}, body: { kind: 'none' } }
			: undefined;
	await expect(checkPromises(trial)).rejects.toThrow(Difference);
	trials.service.intercept = () => undefined;
	await trials.truth.removeSpaceOf(trial.grid);
});

test('a variant is read from the JSON that describes it', () => {
	for (const variant of fc.sample(variants, { numRuns: 50, seed: 1 }))
		expect(readVariant(JSON.parse(describeVariant(variant)))).toEqual(variant);
	expect(() => readVariant({ links: { href: 'nowhere' } })).toThrow('Not a choice');
	expect(() => readVariant({ colours: {} })).toThrow('No aspect "colours"');
});
