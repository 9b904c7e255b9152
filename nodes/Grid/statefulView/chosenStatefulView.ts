import type { Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';
import type { StatefulView } from '../../../client/resources/statefulViews';
import { pickedBy } from '../../shared/inputs/locators';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { statefulViewPicker } from '../../shared/inputs/pickers/statefulView';
import { changeableGridOrViewFields, chosenGridOrView, gridOrViewFields } from '../view/chosenView';

/** The pickers that name a stateful view. */
export const statefulViewFields = [...gridOrViewFields, statefulViewPicker];
/** The same for a change. */
export const changeableStatefulViewFields = [...changeableGridOrViewFields, statefulViewPicker];

/** The stateful view that the pickers name, and the grid or view under which it hangs (§1). @throws NotFound */
export async function chosenStatefulView(
	client: Client,
	parameter: ReadParameter,
): Promise<{ grid: Grid; statefulView: StatefulView }> {
	const grid = await chosenGridOrView(client, parameter);
	const reading = client.statefulViews.get(grid, parameter(statefulViewPicker));
	return { grid, statefulView: await pickedBy(statefulViewPicker, reading) };
}
