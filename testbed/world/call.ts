import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Client } from '../../client';
import type { NodeRun, NodeSettings } from '../engine/engine';

/** An operation of a node, by its names in workflows. */
export interface OperationName {
	node: 'entity' | 'form' | 'grid' | 'publicLink' | 'pushNotification' | 'space';
	resource: string;
	operation: string;
}

/** An operation with its parameters. */
export interface Call extends OperationName {
	parameters?: INodeParameters;
}

/** The key to use: the owner's, one with the role reader, or the owner's with a wrong secret. */
export type Identity = 'owner' | 'reader' | 'stranger';

/** How a run differs from the owner's run with one empty item. */
export interface RunOptions {
	input?: Array<IDataObject | INodeExecutionData> | undefined;
	as?: Identity | undefined;
	/** Base URL of the node's requests, e.g. a proxy; the world's default if omitted. */
	baseUrl?: string;
	/** Credentials instead of those of `as`. */
	credentials?: NodeSettings['credentials'] | undefined;
	/** Maximum number of concurrent requests, as in the credential. */
	requestsAtATime?: number;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	timezone?: string;
	/** Receives the function that stops the execution. */
	onStart?: (cancel: () => void) => void;
}

/** Runs operations of nodes. */
export interface Runner {
	/** Client of the owner. */
	client: Client;
	settings(call: Call, options?: RunOptions): NodeSettings;
	run(call: Call, options?: RunOptions): Promise<NodeRun>;
}
