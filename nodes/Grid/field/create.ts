import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { operation } from '../../shared/runner/operation';
import { collection, numberInput } from '../../shared/inputs/parameter';
import { chosenType, typeDetails, typeFields } from './fieldTypes';
import { columnDescription, columnKey, columnName, creatable } from './columnDefinitions';
import { withoutUndefined } from '../../shared/rows/output';
import { addColumns } from '../../shared/rows/addColumns';

const position = numberInput({
	displayName: 'Position',
	name: 'position',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'The position of the column, starting at 0. If not added, the column is placed last.',
});

const further = collection(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add property',
		description: 'Further properties of the column',
	},
	[columnDescription, columnKey, position, typeDetails],
);

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create column',
	description: 'Add a column to a grid',
	whenRejected:
		'If the name or key is in use, choose another one; "Add Missing" adds only columns that the grid does not have.',
	on: changeableGrid,
	fields: [columnName, ...typeFields, further],
	async run({ client, grid, parameter }) {
		const name = parameter(columnName);
		const added = parameter(further);
		const column = withoutUndefined({
			name,
			key: added(columnKey),
			description: added(columnDescription),
			type: chosenType(parameter, name, added(typeDetails)),
			position: added(position),
		});
		const columns = await creatable(client, [column], grid.address.spaceId);
		const [created] = await addColumns(client, grid, columns, undefined);
		return { id: created?.id, ...columns[0] };
	},
});
