import { startFaultProxy, type FaultProxy } from '../proxy/faultProxy';
import { World } from './world';

/** A world, and a proxy in front of its service. */
export class ProxiedWorld {
	private started: { world: World; proxy: FaultProxy } | undefined;

	get world(): World {
		return this.running.world;
	}

	get proxy(): FaultProxy {
		return this.running.proxy;
	}

	/** Registers the hooks of a test file: starts both once, clears the rules before each test. */
	constructor() {
		beforeAll(async () => {
			const world = await World.start();
			this.started = { world, proxy: await startFaultProxy(world.service.url) };
		});
		beforeEach(() => {
			this.proxy.setRules();
		});
		afterAll(async () => {
			await this.proxy.stop();
			await this.world.stop();
		});
	}

	private get running(): { world: World; proxy: FaultProxy } {
		if (this.started) return this.started;
		throw new Error('The world starts before the first test');
	}
}
