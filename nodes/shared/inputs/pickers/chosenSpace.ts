import type { Space } from '../../../../client/resources/spaces';
import { pickedBy } from './locators';
import type { Parameter } from '../parameter';
import { changeableSpacePicker, sharedSpacePicker, spaceForGridPicker, spacePicker } from './space';
import type { Target } from '../target';

/** @throws NotFound naming the picker, Forbidden (§7) */
const spaceOf = (picker: Parameter<string>): Target<{ space: Space }> => ({
	fields: [picker],
	open: async (client, parameter) => ({
		space: await pickedBy(picker, client.spaces.get(parameter(picker))),
	}),
});

/** A space in full. */
export const chosenSpace = spaceOf(spacePicker);
/** A space to change or delete. */
export const changeableSpace = spaceOf(changeableSpacePicker);
/** A space to add a grid to. */
export const spaceForGrid = spaceOf(spaceForGridPicker);
/** A space whose shares are read or changed. */
export const sharedSpace = spaceOf(sharedSpacePicker);
