import { rewrite } from '../../../testbed/proxy/rewriting';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

test('a new column without a Location is not taken for an older one of the same name', async () => {
	const grid = await bed.grid({ Other: 'string' });
	bed.proxy.setRules(
		rewrite({
			response: ({ path, body, headers: { location, ...headers } }) =>
				path.endsWith('/ColumnAdd')
					? { headers, body: '' }
					: { body: body.replaceAll('"name":"Other"', '"name":"Note"'), headers: { ...headers, location } },
		}),
	);
	const { rows, error } = await bed.run({
		node: 'grid',
		resource: 'field',
		operation: 'create',
		parameters: { ...grid.chosen, name: 'Note', additionalFields: { position: 0 } },
	});
	expect(error).toBeUndefined();
	const { spaceId, gridId } = grid.grid.address;
	const { fields } = await bed.newClient().grids.open({ spaceId, gridId });
	expect(rows).toMatchObject([{ id: fields?.find(({ name }) => name === 'Note')?.id }]);
});
