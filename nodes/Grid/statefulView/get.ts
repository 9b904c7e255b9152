import { simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';
import { chosenStatefulView } from './chosenStatefulView';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get stateful view',
	description: 'Get the type and properties of a stateful view',
	on: chosenStatefulView,
	fields: [simplify],
	run: ({ grid, statefulView, represent }) => ({ ...represent(statefulView), gridId: grid.id }),
});
