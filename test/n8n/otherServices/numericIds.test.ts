import { caseOf, offered, withTitles } from '../cases';
import type { Rule } from '../../../testbed/proxy/faultProxy';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/** A service whose IDs are JSON numbers. */
let world: SampleWorld;

beforeAll(async () => {
	world = await SampleWorld.start();
});
afterAll(async () => {
	await world.stop();
});

const ID = /\b(?:[0-9a-f]{24}|f[0-9a-f]{9})\b/g;
const ids: string[] = [];
const FIRST = 7_000_000;

const numberOf = (id: string) => FIRST + (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1);
const numbered = (text: string) => text.replace(ID, (id) => String(numberOf(id)));
const original = (text: string) =>
	text.replace(/(?<=%22|\b)70\d{5}(?!\d)/g, (digits) => ids[Number(digits) - FIRST] ?? digits);

/** Replaces strings that are IDs by numbers. */
const withNumbers = (body: string) => numbered(body).replace(/"(70\d{5})"(?!\s*:)/g, '$1');
const withTexts = (body: string) => original(body.replace(/(?<=[:[,]\s*)(70\d{5})(?=\s*[,\]}])/g, '"$1"'));

const numeric: Rule = ({ path, body }) => ({
	kind: 'change',
	request: { path: original(path), body: body.startsWith('{') ? withTexts(body) : body },
	response: ({ headers, body: sent }) => ({
		body: String(headers['content-type']).includes('json') ? withNumbers(sent) : numbered(sent),
		...(typeof headers.location === 'string'
			? { headers: { ...headers, location: numbered(headers.location) } }
			: {}),
	}),
});

test.each(withTitles(offered))('%s succeeds with numeric IDs', async (_title, operation) => {
	const { parameters, input, output, outputSince2 = output } = caseOf(operation);
	world.listen();
	const given: unknown = JSON.parse(numbered(JSON.stringify(await parameters(world))));
	if (typeof given !== 'object' || given === null) throw new Error('There are no parameters');
	world.listen(numeric);
	const call = { ...operation, parameters: { ...given } };
	const { rows, error } = await world.run(call, { input: input?.(world) });
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(outputSince2);
});
