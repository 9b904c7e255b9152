import type { Created } from '../../../client/session/created';

/** What a row of output tells of something new: its id, or its address if the service tells this identity no id. */
export function identified({ id, href }: Created): Partial<Created> {
	return id === null ? { id, href } : { id };
}
