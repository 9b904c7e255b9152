import { caseOf, offered, withTitles } from '../cases';
import type { Rule } from '../../../testbed/proxy/faultProxy';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/**
 * A service that responds with 406 to an `Accept` header without the media type that it sends
 * (RFC 9110, 12.4.1), writes included: the specification names the type of representations (§9)
 * and text/plain for creations (§4).
 */
let world: SampleWorld;
const refused: string[] = [];

beforeAll(async () => {
	world = await SampleWorld.start();
});
afterAll(async () => {
	await world.stop();
});

/** Content type of a response: metadata, schemas and the word "deleted" are plain JSON. */
function typeOf(method: string, path: string, sent: string): string {
	if (!sent.includes('json')) return sent;
	const isPlain =
		method === 'DELETE' || /\/(types|nodeTypes|blocks|version|schema|accessKeys)(\?|$)/.test(path);
	return isPlain ? 'application/json' : 'application/vnd.service.hal';
}

const strict: Rule = ({ headers: { accept = '*/*' } }) => ({
	kind: 'change',
	response: ({ method, path, status, headers, body }) => {
		const type = typeOf(method, path, String(headers['content-type']).split(';', 1).join());
		const ranges = accept.split(',').map((range) => range.split(';', 1).join().trim().toLowerCase());
		if (status >= 300 || body === '' || ranges.includes(type) || ranges.includes('*/*')) return {};
		refused.push(`${method} ${path}`);
		return { status: 406, body: 'Not acceptable', headers: { 'content-type': 'text/plain' } };
	},
});

test.each(withTitles(offered))('%s succeeds with strict content negotiation', async (_title, operation) => {
	const { parameters, input, output, outputSince2 = output } = caseOf(operation);
	world.listen();
	const given = await parameters(world);
	refused.length = 0;
	world.listen(strict);
	const { rows, error } = await world.run({ ...operation, parameters: given }, { input: input?.(world) });
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject(outputSince2);
	// A refused write may have been carried out.
	expect(refused.filter((line) => !line.startsWith('GET'))).toEqual([]);
});
