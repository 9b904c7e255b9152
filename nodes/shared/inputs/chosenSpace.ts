import type { Client } from '../../../client';
import type { Space } from '../../../client/resources/spaces';
import { pickedBy } from './locators';
import type { ReadParameter } from './parameter';
import { spacePicker } from './pickers/space';

/** The space that an operation's picker names, in full. @throws NotFound naming the picker, Forbidden (§7) */
export async function chosenSpace(client: Client, parameter: ReadParameter): Promise<Space> {
	return await pickedBy(spacePicker, client.spaces.get(parameter(spacePicker)));
}
