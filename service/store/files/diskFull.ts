import { constants } from 'node:os';
import { z } from 'zod/v4';

const { EDQUOT, EFBIG, ENOSPC } = constants.errno;

const sqliteSchema = z.union([
	z.object({ sqliteCodeName: z.literal('SQLITE_FULL') }),
	z.object({ systemErrno: z.literal([EDQUOT, EFBIG, ENOSPC]) }),
]);
const systemSchema = z.object({ code: z.enum(['EDQUOT', 'EFBIG', 'ENOSPC']) });

/** Whether a write failed because of a limit: of the disk, of a quota on it, or of a file. */
export const isDiskFull = (error: unknown): boolean =>
	sqliteSchema.safeParse(error).success || systemSchema.safeParse(error).success;
