declare module 'n8n-workflow' {
	interface INodeTypeDescription {
		/** What n8n's AI builder reads about a node; n8n 2.41 has it, the types used here do not. */
		builderHint?: BuilderHint;
	}
	interface INodeProperties {
		/** What n8n's AI builder reads about an input. */
		builderHint?: { propertyHint: string };
	}
}

interface BuilderHint {
	/** Shown with the node in the results of a search. */
	searchHint: string;
	/** Nodes that are found together with this one. */
	relatedNodes: Array<{ nodeType: string; relationHint: string }>;
}

const RELATIONS = {
	entity: 'Reads, writes and synchronizes the rows of a grid',
	form: 'Submits rows through a form',
	grid: 'Creates grids, changes columns and views, imports and exports CSV files',
	publicLink: 'Opens public links to forms, views and rows without an account',
	entityTrigger: 'Starts the workflow when rows are created, updated or deleted',
	space: 'Creates spaces, which contain the grids, and shares them',
};

/** @param related names of nodes of this package that belong in the same workflows */
export function builderHint(searchHint: string, related: ReadonlyArray<keyof typeof RELATIONS>): BuilderHint {
	return {
		searchHint,
		relatedNodes: related.map((name) => ({
			nodeType: `n8n-nodes-datagrid.${name}`,
			relationHint: RELATIONS[name],
		})),
	};
}
