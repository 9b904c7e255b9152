import { z } from 'zod/v4';

const sqliteSchema = z.object({ sqliteCodeName: z.literal('SQLITE_FULL') });
const systemSchema = z.object({ code: z.enum(['ENOSPC', 'EDQUOT']) });

/** Whether a write failed because the disk, or the quota on it, has no space left. */
export const isDiskFull = (error: unknown): boolean =>
	sqliteSchema.safeParse(error).success || systemSchema.safeParse(error).success;
