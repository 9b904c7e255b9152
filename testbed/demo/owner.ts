import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import type { Owner } from '../n8n/rest';

const ownerSchema = z.object({
	email: z.string(),
	password: z.string(),
	firstName: z.string(),
	lastName: z.string(),
});

/**
 * Login for the demo's n8n. The password is random and stored with n8n's data, because n8n runs
 * code for anyone who can log in.
 */
export async function demoOwner(folder: string): Promise<Owner & { file: string }> {
	const file = join(folder, 'owner.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	if (text !== undefined) return { ...ownerSchema.parse(JSON.parse(text)), file };
	const owner = {
		email: 'owner@example.com',
		// n8n requires a capital letter and a digit.
		password: `Demo1-${randomBytes(9).toString('base64url')}`,
		firstName: 'Demo',
		lastName: 'Owner',
	};
	await writeFile(file, JSON.stringify(owner, null, 2), { mode: 0o600 });
	return { ...owner, file };
}
