import fc from 'fast-check';
import { hostileResponses } from './hostileResponses';
import { attempts } from './hostileRequests';
import { nestedJson, nestings } from './nestedJson';

function depthOf(value: unknown): number {
	let depth = 0;
	for (let level = [value]; level.length > 0; depth++)
		level = level.flatMap((one) =>
			typeof one === 'object' && one !== null
				? Object.entries(one).map(([, inner]: [string, unknown]) => inner)
				: [],
		);
	return depth - 1;
}

test('the nested literals of the fuzz test are valid JSON with the stated depth', () => {
	expect(depthOf(JSON.parse(nestedJson('list', 5000)))).toBe(5000);
	expect(depthOf(JSON.parse(nestedJson('operator', 1000)))).toBe(1000);
	expect(depthOf(JSON.parse(nestedJson('filter', 1000)))).toBe(2000);
	const depths = fc.sample(nestings, { numRuns: 200, seed: 1 }).map((text) => depthOf(JSON.parse(text)));
	expect(Math.max(...depths)).toBeGreaterThanOrEqual(20_000);
	expect(Math.min(...depths)).toBeLessThan(10);
});

test('the fuzz test sends them in requests and in responses', () => {
	const deep = (text: string | undefined) => {
		try {
			return depthOf(JSON.parse(text ?? ''));
		} catch {
			return 0;
		}
	};
	const sent = fc.sample(attempts, { numRuns: 2000, seed: 1 }).map(({ body }) => deep(body?.content));
	expect(sent.filter((depth) => depth > 1000).length).toBeGreaterThan(10);
	const answered = fc.sample(hostileResponses, { numRuns: 500, seed: 1 }).flatMap((all) => all.map(({ body }) => deep(body)));
	expect(answered.filter((depth) => depth > 1000).length).toBeGreaterThan(10);
}); // prettier-ignore
