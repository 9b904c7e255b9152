const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * The project's own modules as compiled by this worker, by file. A compiled module is a function
 * without state: each test file calls it anew, and the engine keeps what it has learned about it.
 */
const compiled = new Map();

/**
 * Loads packages once per worker instead of once per test file: those of n8n's engine alone are
 * 1,800 modules. The project's own modules are still loaded anew for each test file.
 */
class SharedPackages extends Runtime {
	constructor(...given) {
		super(...given);
		const { executor } = this.cjsLoader;
		executor.compile = (source, filename) => {
			const known = compiled.get(filename);
			if (known?.source === source) return known.run;
			const run = compileFunction(source, executor.injectedModuleParameters, { filename });
			compiled.set(filename, { source, run });
			return run;
		};
	}

	requireModule(from, name, options, isRequireActual) {
		const isShared = name !== undefined && options?.isInternalModule !== true;
		if (isShared && !this._resolution.isCoreModule(name)) {
			const path = this._resolution.resolveCjs(from, name);
			if (path.includes(PACKAGES)) return require(path);
		}
		return super.requireModule(from, name, options, isRequireActual);
	}
}

module.exports = SharedPackages;
