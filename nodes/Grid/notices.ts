import { z } from 'zod/v4';
import { parameter, type Parameter } from '../shared/parameter';

/** A sentence above the inputs of an operation that cannot be undone. */
export function dangerNotice(text: string): Parameter<unknown> {
	return parameter({ displayName: text, name: 'notice', type: 'notice', default: '' }, z.unknown());
}
