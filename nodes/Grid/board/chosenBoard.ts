import type { Grid, StatefulView } from '../../../client';
import { boardPicker } from '../../shared/inputs/pickers/board';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import type { Target } from '../../shared/inputs/target';
import { changeableGridOrView, gridOrView } from '../view/chosenView';

/** A board or calendar, and the grid or view it belongs to (§1). @throws NotFound */
const open: Target<{ grid: Grid; board: StatefulView }>['open'] = async (client, parameter) => {
	const { grid } = await gridOrView.open(client, parameter);
	return { grid, board: await pickedBy(boardPicker, client.statefulViews.get(grid, parameter(boardPicker))) };
};

export const chosenBoard = { fields: [...gridOrView.fields, boardPicker], open };
/** The same for changes. */
export const changeableBoard = { fields: [...changeableGridOrView.fields, boardPicker], open };
