import { z } from 'zod/v4';
import { parameter } from './parameter';

/** A notice above the inputs of an operation. */
export function notice(name: string, text: string) {
	return parameter({ displayName: text, name, type: 'notice', default: '' }, z.unknown());
}
