import type { ServiceOptions } from '../../service/server';
import type { NodeSettings } from '../engine/engine';
import { startFaultProxy, type FaultProxy } from '../proxy/faultProxy';
import type { Identity } from './call';
import { World } from './world';

/** A world, and the proxy in front of its service, which all nodes use by default. */
export class ProxiedWorld extends World {
	private startedProxy: FaultProxy | undefined;

	/** Registers the hooks of a test file: starts both once, clears the rules before each test. */
	constructor(options: Partial<ServiceOptions> = {}) {
		super();
		this.withHooks(options);
		beforeEach(() => {
			this.proxy.setRules();
		});
	}

	protected override async begin(options: Partial<ServiceOptions>): Promise<void> {
		await super.begin(options);
		this.startedProxy = await startFaultProxy(this.service.url);
	}

	get proxy(): FaultProxy {
		if (this.startedProxy) return this.startedProxy;
		throw new Error('The proxy starts before the first test');
	}

	override credentials(
		as: Identity = 'owner',
		baseUrl = this.proxy.url,
		requestsAtATime?: number,
	): NodeSettings['credentials'] {
		return super.credentials(as, baseUrl, requestsAtATime);
	}

	override async stop(): Promise<void> {
		await this.proxy.stop();
		await super.stop();
	}
}
