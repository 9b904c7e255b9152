const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Loads packages once per worker instead of once per test file: those of n8n's engine alone are
 * 1,800 modules. The project's own modules are still loaded anew for each test file.
 */
class SharedPackages extends Runtime {
	constructor(...given) {
		super(...given);
		const { executor } = this.cjsLoader;
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
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
