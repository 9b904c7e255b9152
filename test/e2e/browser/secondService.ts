import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type DataGridService } from '../../../testbed/service';

/** A service that a job can stop and start again at the same address, with its data. */
export class SecondService {
	private constructor(
		private readonly folder: string,
		private running: DataGridService,
	) {}

	static async start() {
		const folder = await mkdtemp(join(tmpdir(), 'second-service-'));
		return new SecondService(folder, await startService({ folder, port: 0 }));
	}

	get connection() {
		const { url, key, secret } = this.running;
		return { url, key, secret };
	}

	async stop() {
		await this.running.process?.stop();
	}

	async startAgain() {
		this.running = await startService({ folder: this.folder, port: Number(new URL(this.running.url).port) });
	}

	async remove() {
		await this.stop();
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
