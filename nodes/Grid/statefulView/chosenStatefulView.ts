import type { Grid } from '../../../client/resources/grids';
import type { StatefulView } from '../../../client/resources/statefulViews';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { statefulViewPicker } from '../../shared/inputs/pickers/statefulView';
import type { Target } from '../../shared/inputs/target';
import { changeableGridOrView, gridOrView } from '../view/chosenView';

/** A stateful view, and the grid or view it belongs to (§1). @throws NotFound */
const open: Target<{ grid: Grid; statefulView: StatefulView }>['open'] = async (client, parameter) => {
	const { grid } = await gridOrView.open(client, parameter);
	const reading = client.statefulViews.get(grid, parameter(statefulViewPicker));
	return { grid, statefulView: await pickedBy(statefulViewPicker, reading) };
};

export const chosenStatefulView = { fields: [...gridOrView.fields, statefulViewPicker], open };
/** The same for changes. */
export const changeableStatefulView = { fields: [...changeableGridOrView.fields, statefulViewPicker], open };
