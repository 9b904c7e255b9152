import { accessMutants } from './access';
import { dataMutants } from './data';
import type { Mutant } from './mutant';
import { protectionMutants } from './protection';
import { serviceMutants } from './service';
import { triggerMutants } from './trigger';

/** Lists of mutants by name, as `--only` takes it. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
	data: dataMutants,
	access: accessMutants,
	protection: protectionMutants,
	service: serviceMutants,
	trigger: triggerMutants,
};
