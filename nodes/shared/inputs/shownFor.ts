import type { Parameter } from './parameter';

/** An input that is shown only for certain values of other inputs. */
export const shownFor = <Value>(
	{ property, read }: Parameter<Value>,
	show: Record<string, string[]>,
): Parameter<Value> => ({ property: { ...property, displayOptions: { show } }, read });
