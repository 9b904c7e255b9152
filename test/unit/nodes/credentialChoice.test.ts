import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { Space } from '../../../nodes/Space/Space.node';

const nodes: INodeType[] = [new Entity(), new Form(), new Grid(), new GridTrigger(), new Space()];
const conditionsSchema = z.record(z.string(), z.array(z.string()));

/** The values of parameters for which a node asks for each of its credentials. */
const conditionsOf = ({ credentials = [] }: INodeTypeDescription) =>
	credentials.map(({ name, displayOptions }) => ({
		name,
		hide: displayOptions?.hide,
		show: conditionsSchema.parse(displayOptions?.show ?? {}),
	}));

/** The values that a parameter of the node can have, in all operations that have it. */
function valuesOf({ properties }: INodeTypeDescription, parameter: string): Set<unknown> {
	return new Set(
		properties
			.filter(({ name }) => name === parameter)
			.flatMap(({ options = [], default: value }) => [
				value,
				...options.flatMap((option) => ('value' in option ? [option.value] : [])),
			]),
	);
}

describe.each(nodes.map(({ description }) => [description.displayName, description] as const))(
	'credentials of %s',
	(_name, description) => {
		const all = conditionsOf(description);

		it('are told apart by disjoint values of one parameter, as verification requires', () => {
			expect(all.length).toBeGreaterThan(0);
			for (const [index, one] of all.entries()) {
				expect(one.hide).toBeUndefined();
				for (const other of all.slice(index + 1)) {
					const disjoint = Object.entries(one.show).filter(
						([parameter, values]) =>
							other.show[parameter]?.every((value) => !values.includes(value)) ?? false,
					);
					expect(disjoint).not.toEqual([]);
				}
			}
		});

		it('are shown for values that the node has', () => {
			for (const { show } of all)
				for (const [parameter, values] of Object.entries(show)) {
					const possible = valuesOf(description, parameter);
					expect(values.filter((value) => !possible.has(value))).toEqual([]);
				}
		});
	},
);

it('every resource of the Space node has exactly one credential', () => {
	const { description } = new Space();
	const shown = conditionsOf(description).flatMap(({ show }) => show['resource'] ?? []);
	expect(shown.sort()).toEqual([...valuesOf(description, 'resource')].sort());
});

it('every operation of the Form node says how its link is protected', () => {
	const { properties } = new Form().description;
	const shownFor = ({ displayOptions }: INodeProperties) => {
		const { resource = [], operation = [] } = conditionsSchema.parse(displayOptions?.show ?? {});
		return operation.map((one) => `${resource.join()}.${one}`);
	};
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const [resource] = conditionsSchema.parse(property.displayOptions?.show ?? {})['resource'] ?? [];
			const values = (property.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
			return values.map((value) => `${String(resource)}.${String(value)}`);
		});
	const protectedOnes = properties.filter(({ name }) => name === 'linkProtection').flatMap(shownFor);
	expect(protectedOnes.sort()).toEqual(operations.sort());
});
