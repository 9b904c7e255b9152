const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

/** What the worker's global object holds before the first test file. */
const own = new Map(
	Reflect.ownKeys(globalThis).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
);
const { exit } = process;

/**
 * Storages in use. jest makes one for each test file and leaves it on; each that is on costs time
 * with every promise, and keeps what it stores.
 * @type {Set<AsyncLocalStorage<unknown>>}
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
	storages.add(this);
	return Reflect.apply(run, this, given);
};

/**
 * Runs test files in the worker's own realm, one after the other, as n8n runs nodes: packages that
 * are loaded once (runtime.js) see the same `Error`, `Array` and `Date` as the code under test.
 */
class OneRealm {
	constructor() {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = null;
		Error.stackTraceLimit = 100;
	}

	async setup() {}

	/** Puts the global object back, so that no test file sees what another one left there. */
	async teardown() {
		for (const storage of storages) storage.disable();
		storages.clear();
		process.exit = exit;
		for (const name of Reflect.ownKeys(globalThis)) {
			if (!own.has(name)) Reflect.deleteProperty(globalThis, name);
		}
		for (const [name, descriptor] of own) Object.defineProperty(globalThis, name, descriptor);
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return globalThis;
	}
}

module.exports = OneRealm;
