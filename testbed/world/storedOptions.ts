import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { resources } from '../../nodes/Entity/operations';
import type { Call } from './call';

const parametersSchema = z.custom<INodeParameters>();

/** The names of the options in a group; none for another kind of option. */
const namesIn = ({ type, options = [] }: INodeProperties): string[] =>
	type === 'fixedCollection'
		? options.flatMap((group) =>
				'values' in group && group.name === 'values' ? group.values.map(({ name }) => name) : [],
			)
		: [];

/** Parameters with options by name, as the editor stores them: options of a group in the group. */
export function storedOptions({ node, resource, operation, parameters = {} }: Call): INodeParameters {
	const operations = node === 'entity' ? resources.find(({ value }) => value === resource)?.operations : [];
	const { collection } = operations?.find(({ value }) => value === operation) ?? {};
	const given = parameters['options'];
	if (!collection || typeof given !== 'object' || given === null) return parameters;
	let options: INodeParameters = { ...parametersSchema.parse(given) };
	for (const group of collection.property.options ?? []) {
		if (!('type' in group)) continue;
		const members = namesIn(group).filter((name) => Object.hasOwn(options, name));
		const values = Object.fromEntries(members.map((name) => [name, options[name]]));
		if (members.length === 0) continue;
		options = Object.fromEntries(Object.entries(options).filter(([name]) => !members.includes(name)));
		options[group.name] = { values };
	}
	return { ...parameters, options };
}
