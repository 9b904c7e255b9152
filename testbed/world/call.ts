import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Client } from '../../client';
import type { NodeRun, NodeSettings } from '../engine/engine';

/** An operation of a node, as a workflow names it. */
export interface OperationName {
	node: 'entity' | 'form' | 'grid' | 'space';
	resource: string;
	operation: string;
}

/** An operation with its parameters. */
export interface Call extends OperationName {
	parameters?: INodeParameters;
}

/** Whose key: the owner's, one that may only read, or the owner's with a wrong secret. */
export type Identity = 'owner' | 'reader' | 'stranger';

/** How a run differs from the owner's run with one empty item. */
export interface RunOptions {
	input?: Array<IDataObject | INodeExecutionData> | undefined;
	as?: Identity | undefined;
	/** Where the node sends its requests, e.g. a proxy; the world's own choice if omitted. */
	baseUrl?: string;
	/** Instead of those of `as`. */
	credentials?: NodeSettings['credentials'] | undefined;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	timezone?: string;
	/** Of the node; the newest if omitted. */
	version?: number | undefined;
	/** Receives the function that stops the execution. */
	onStart?: (cancel: () => void) => void;
}

/** What runs operations of a node. */
export interface Runner {
	/** The owner's. */
	client: Client;
	settings(call: Call, options?: RunOptions): NodeSettings;
	run(call: Call, options?: RunOptions): Promise<NodeRun>;
}
