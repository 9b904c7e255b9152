import { z } from 'zod/v4';
import { parameter } from '../../shared/inputs/parameter';

/**
 * Forms of a grid always use the account's credential. This value alone decides which credential
 * the node shows, as n8n's verification requires, so every operation has it.
 * Its options let the editor drop the value of a public link when the resource changes.
 */
export const accountProtection = parameter(
	{
		displayName: 'Link Protection',
		name: 'linkProtection',
		type: 'hidden',
		options: [{ name: 'Account', value: 'internal' }],
		default: 'internal',
		description: 'Always the account of the credential',
	},
	z.literal('internal'),
);
