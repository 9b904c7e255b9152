import { z } from 'zod/v4';
import { jsonOf } from './json';
import type { Answer, Created, Session } from './session';
import { textOf } from './session';

const idSchema = z.looseObject({ id: z.string().min(1) });

/**
 * Where a POST put what it created, for those whose answer the spec does not show (§4 Gaps: share, invite, copy). They say it
 * as every creating POST does (`Location`, or the text body), in a JSON body, or not at all; a place that cannot be used
 * (another origin) is none.
 */
export function createdBy(session: Session, answer: Answer): Created | undefined {
	const text = textOf(answer.body);
	const href = answer.headers.location ?? /^Created\s+(\S+)/.exec(text)?.[1];
	const located = href ? session.located(href) : undefined;
	if (located && !(located instanceof Error)) return located;
	const told = idSchema.safeParse(jsonOf(text));
	return told.success ? { href: '', id: told.data.id } : undefined;
}
