import type { Space } from '../../../../client';
import { cachedName, otherId, pickedBy } from './locators';
import { keysOfSpacesNamed } from './pickedKeys';
import type { Parameter } from '../parameter';
import { changeableSpacePicker, sharedSpacePicker, spaceForGridPicker, spacePicker } from './space';
import type { Target } from '../target';

/** @throws NotFound naming the picker, Forbidden (§7) */
const spaceOf = (picker: Parameter<string>): Target<{ space: Space }> => ({
	fields: [picker],
	open: async (client, parameter) => ({
		space: await pickedBy(picker, client.spaces.get(parameter(picker)), async () => {
			const name = parameter(cachedName(picker));
			return name === undefined
				? undefined
				: otherId(`a space "${name}"`, await keysOfSpacesNamed(client, name));
		}),
	}),
});

/** A space in full. */
export const chosenSpace = spaceOf(spacePicker);
/** A space to change or delete. */
export const changeableSpace = spaceOf(changeableSpacePicker);
export const spaceForGrid = spaceOf(spaceForGridPicker);
/** A space whose shares are read or changed. */
export const sharedSpace = spaceOf(sharedSpacePicker);
