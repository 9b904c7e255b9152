import { accessMutants } from './access';
import { dataMutants } from './data';
import type { Mutant } from './mutant';

/** The mutants by what they break. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
	data: dataMutants,
	access: accessMutants,
};
