import { startService, type RunningService, type ServiceOptions } from '../../service/server';

/** The embedded service for one test file: in this process, in memory, on a free port. Stop it when done. */
export function startTestService(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
	return startService({ data: ':memory:', port: 0, ...options });
}
