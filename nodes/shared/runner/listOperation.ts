import { readList, type Linked, type ListSource } from '../../../client';
import { simplify } from '../inputs/output/outputOptions';
import type { Parameter } from '../inputs/parameter';
import { limit, resultLimit, returnAll } from '../inputs/selection/paging';
import type { Target } from '../inputs/target';
import { listItems } from '../rows/output';
import type { ItemContext } from './context';
import { operation, type Operation } from './operation';

/** The operation Get Many of a resource: all of a list, or as many as the user asks for. */
export function listOperation<Chosen extends object, Item extends Linked>({
	on,
	fields = [],
	filters = [],
	list,
	...described
}: {
	action: string;
	description: string;
	on: Target<Chosen>;
	/** Inputs above and below those of the limit. */
	fields?: ReadonlyArray<Parameter<unknown>>;
	filters?: ReadonlyArray<Parameter<unknown>>;
	list(context: ItemContext & Chosen): ListSource<Item>;
}): Operation {
	return operation({
		...described,
		value: 'getMany',
		name: 'Get Many',
		on,
		fields: [...fields, returnAll, limit, ...filters, simplify],
		async run(context) {
			const { parameter, hint, represent } = context;
			const items = await readList(list(context), { limit: resultLimit(parameter) });
			return listItems(items, hint).map(represent);
		},
	});
}
