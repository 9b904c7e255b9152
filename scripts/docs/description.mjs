import { z } from 'zod/v4';

const optionSchema = z.object({
	name: z.string(),
	value: z.union([z.string(), z.number(), z.boolean()]).optional(),
	displayName: z.string().optional(),
	description: z.string().optional(),
	action: z.string().optional(),
});

const propertySchema = z.object({
	displayName: z.string(),
	name: z.string(),
	type: z.string(),
	required: z.boolean().optional(),
	description: z.string().optional(),
	placeholder: z.string().optional(),
	default: z.unknown(),
	options: z.array(z.looseObject({})).optional(),
	modes: z.array(z.object({ displayName: z.string() })).optional(),
	displayOptions: z.object({ show: z.record(z.string(), z.array(z.unknown())).optional() }).optional(),
});

const groupSchema = z.object({ values: z.array(propertySchema) });
const groupDefault = z.object({ values: z.object({}) });

/** The parts of a node's description that a page needs. */
export const describedNodeSchema = z.object({
	description: z.object({
		displayName: z.string(),
		name: z.string(),
		description: z.string(),
		polling: z.boolean().optional(),
		builderHint: z.object({ searchHint: z.string() }).optional(),
		properties: z.array(propertySchema),
	}),
});

/** The choices of an `options` property. @param {Property} property */
export function choicesOf(property) {
	return z.array(optionSchema).catch([]).parse(property.options);
}

/** The options in a group, which `optionGroup` makes. @param {Property} property */
export function groupMembers({ type, default: unset, options }) {
	const isGroup = type === 'fixedCollection' && groupDefault.safeParse(unset).success;
	return isGroup
		? z
				.array(groupSchema)
				.parse(options)
				.flatMap(({ values }) => values)
		: [];
}

/** The properties inside a `collection`. @param {Property} property */
export function membersOf(property) {
	return z.array(propertySchema).catch([]).parse(property.options);
}

/** @typedef {z.infer<typeof propertySchema>} Property */
/** @typedef {z.infer<typeof describedNodeSchema>['description']} Described */
