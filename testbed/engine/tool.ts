import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

/** A node as n8n offers it to an AI agent; the suffix of its name selects other parameters. */
export const toolOf = (type: INodeType): INodeType => ({
	...type,
	execute(this: IExecuteFunctions) {
		return type.execute?.call(this) ?? Promise.resolve(null);
	},
	description: { ...type.description, name: `${type.description.name}Tool` },
});
