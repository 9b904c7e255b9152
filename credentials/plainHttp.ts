/**
 * An address over plain http that leaves this machine: not `localhost`, 127.x.x.x or `[::1]`. As the text of a regular expression, which
 * is what a condition of n8n's `displayOptions` takes.
 */
export const OVER_PLAIN_HTTP =
	'^\\s*[hH][tT][tT][pP]://(?!(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d+)?(/|\\s*$))';
