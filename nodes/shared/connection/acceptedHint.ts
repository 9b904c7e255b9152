import type { IAllExecuteFunctions } from 'n8n-workflow';
import { showHint } from '../display/hints';

const HINT =
	'The service accepted a change (status 202), but did not say whether it has made it. Check the result before you rely on it.';

/** Shows a hint for changes that the service has only accepted. */
export const acceptedHint = (context: IAllExecuteFunctions) => (): void => {
	if ('addExecutionHints' in context) showHint(context, HINT, 'warning');
};
