import type { IAllExecuteFunctions } from 'n8n-workflow';
import { BoundedMap, isReadableInTransit } from '../../../client';
import { showHint } from '../display/hints';
import { shownLine } from '../display/shownText';

/** Warns at run time, because the credential form cannot recognize every spelling of an address. */
export function warnOfPlainHttp(context: IAllExecuteFunctions, address: string): void {
	const url = new URL(address);
	if (!isReadableInTransit(url) || 'getCurrentNodeParameter' in context) return;
	const warning = plainHttpWarning(url);
	if ('addExecutionHints' in context) showHint(context, warning, 'danger');
	else if (!logged.get(url.host)) context.logger.warn(shownLine(context, warning));
	logged.set(url.host, true);
}

/** Hosts already logged: a trigger polls every minute, and one warning is enough. */
const logged = new BoundedMap<string, true>(1000);

/** The warning for a credential whose secrets are sent unencrypted. */
export const plainHttpWarning = ({ host }: Pick<URL, 'host'>) =>
	`All requests to ${host} use plain http, so anyone on the network path can read them, including the secrets of the credential. Use https in the credential.`;
