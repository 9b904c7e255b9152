import type { ServiceOptions } from '../../service/server';
import { startFaultProxy, type FaultProxy } from '../proxy/faultProxy';
import { World } from './world';

/** A world, and a proxy in front of its service. */
export class ProxiedWorld {
	readonly world: World;
	private started: FaultProxy | undefined;

	/** Registers the hooks of a test file: starts both once, clears the rules before each test. */
	constructor(options: Partial<ServiceOptions> = {}) {
		afterAll(() => this.proxy.stop());
		this.world = World.forTests(options);
		beforeAll(async () => {
			this.started = await startFaultProxy(this.world.service.url);
		});
		beforeEach(() => {
			this.proxy.setRules();
		});
	}

	get proxy(): FaultProxy {
		if (this.started) return this.started;
		throw new Error('The proxy starts before the first test');
	}
}
