import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Entity } from '../../../client/resources/entities';
import type { Drift } from '../../../client/session/paging';
import { FailedRow } from '../runner/outputItems';
import { parameter } from '../inputs/parameter';

/** Whether a write answers at once with what is known, or reads the row back at the price of one more request for each row. */
export const returnFullEntity = parameter(
	{
		displayName: 'Return',
		name: 'return',
		type: 'options',
		options: [
			{
				name: 'Full Entity',
				value: 'entity',
				description:
					'The row as the service holds it now, computed columns included; costs one more request for each row',
			},
			{ name: 'ID and Values Sent', value: 'sent', description: 'What is known at once' },
		],
		default: 'sent',
		description: 'What to output for each row written',
	},
	z.enum(['entity', 'sent']).transform((choice) => choice === 'entity'),
);

/** Whether rows are told in the user's own words, or as the service told them. */
export const simplify = parameter(
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	z.boolean(),
);

/** An entity as the service gave it: values by column ID, with its `_links` (§2.6). */
export function rawRow(entity: Entity): object {
	return { ...entity, _links: Object.fromEntries(entity._links) };
}

/** A sentence about a list that kept changing while it was read. */
export function driftHint({ scans, numberOfItems, found }: Drift, gridName: string): string {
	return `"${gridName}" was being changed while it was read ${scans} times: the service counted ${numberOfItems.join(', then ')} rows, and ${found} were found. Rows that came or went meanwhile may be missing or too many.`;
}

/** What is put out for one entry of a list that is larger than memory should hold. @param position its sequence number in the list */
export function unreadableRow(node: IExecuteFunctions, position: number, { message }: Error): FailedRow {
	const problem = `Number ${position} of the list was skipped: ${message}`;
	return new FailedRow({ position }, new NodeOperationError(node.getNode(), problem));
}
