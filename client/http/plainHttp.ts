/** Hosts on this machine, as `URL` normalizes them. */
const LOCAL_HOST = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether requests can be read in transit: plain http that leaves this machine. */
export function isReadableInTransit({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
	return protocol === 'http:' && !LOCAL_HOST.test(hostname);
}
