import { startTestServer, type TestServer } from '../testServer';

/** A push provider that accepts every notification, unless `status` is changed. */
export class PushProvider {
	status = 200;
	received = 0;
	private server: TestServer | undefined;

	static async start(): Promise<PushProvider> {
		const provider = new PushProvider();
		provider.server = await startTestServer((_request, response) => {
			provider.received++;
			response.writeHead(provider.status, { 'content-type': 'application/json' }).end('{"id":"n1"}');
		});
		return provider;
	}

	get url(): string {
		return this.server?.url ?? '';
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}
}
