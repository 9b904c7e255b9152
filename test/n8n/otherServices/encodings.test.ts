import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

/** RFC 8259 requires UTF-8. */
const bed = new ProxiedWorld();

it('refuses a JSON text in another encoding than UTF-8, whatever its type states', async () => {
	const Name = 'A\u00e9\u00d8';
	const grid = await bed.grid({ Name: 'string' });
	await grid.fill({ Name });
	const types = [
		'application/json',
		'application/json; charset=utf-8',
		'application/json; charset=ISO-8859-1',
	];
	for (const type of types) {
		bed.proxy.setRules(() => ({
			kind: 'change',
			response: ({ headers, body }) => ({
				headers: { ...headers, 'content-type': type },
				body: Buffer.from(body, 'latin1'),
			}),
		}));
		const { rows, error } = await grid.run('getMany', {});
		expect(error?.message).toContain('The service responded with a text that is not encoded in UTF-8');
		expect(rows).toEqual([]);
	}
});
