import { type Client, CreatedUnlocated, outcomeOf, type Space } from '../../../client';
import { createdOrExisting, nameOfKey } from '../../shared/inputs/ifKeyExists';
import { spaceForGrid } from '../../shared/inputs/pickers/chosenSpace';
import { UnknownKey } from '../../shared/inputs/pickers/pickedKeys';
import type { Target } from '../../shared/inputs/target';
import { newGridOptions } from './gridProperties';

/** A space to add a grid to, which is made if it is chosen by a key that no space has. */
export const spaceForNewGrid: Target<{ space: Space }> = {
	...spaceForGrid,
	async open(client, parameter) {
		const opening = await outcomeOf(spaceForGrid.open(client, parameter));
		if (opening.state === 'done') return opening.value;
		const { error } = opening;
		if (!(error instanceof UnknownKey && parameter(newGridOptions).makeSpace))
			return await Promise.reject(error);
		return { space: await spaceWith(client, error.key) };
	},
};

/** The space with a key, which an item before or another run may have made meanwhile. */
async function spaceWith(client: Client, key: string): Promise<Space> {
	const { existing, created } = await createdOrExisting({
		key,
		returnsExisting: true,
		find: async () => (await client.spaces.many()).items.find((space) => space.key === key),
		create: async () => await client.spaces.create({ name: nameOfKey(key), key }),
	});
	const id = existing ? existing.id : created.id;
	if (id === null) throw new CreatedUnlocated(`The space "${key}" was created, but its ID is unknown`, {});
	return await client.spaces.get(id);
}
