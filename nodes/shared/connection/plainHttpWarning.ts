import type { IAllExecuteFunctions } from 'n8n-workflow';
import { isReadableOnTheWay } from '../../../client/http/plainHttp';
import { showHint } from '../display/hints';
import { shownLine } from '../display/shownText';

/** Says at run time what the form of the credential cannot tell of every spelling of an address. */
export function warnOfPlainHttp(context: IAllExecuteFunctions, address: string): void {
	const url = new URL(address);
	if (!isReadableOnTheWay(url) || 'getCurrentNodeParameter' in context) return;
	const warning = plainHttpWarning(url);
	if ('addExecutionHints' in context) showHint(context, warning, 'danger');
	else if (!logged.has(url.host)) context.logger.warn(shownLine(context, warning));
	if (logged.size < MAX_LOGGED_HOSTS) logged.add(url.host);
}

/** A trigger polls every minute; its log needs the warning once. */
const logged = new Set<string>();
const MAX_LOGGED_HOSTS = 1000;

/** What is said to a credential whose secrets can be read on the way. */
export const plainHttpWarning = ({ host }: Pick<URL, 'host'>) =>
	`Everything that goes to ${host} goes over plain http, the secrets of the credential included: anyone on the way can read it. Use https in the credential.`;
