/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/jest/oneRealm.js',
	runtime: '<rootDir>/test/jest/runtime.js',
	globalSetup: '<rootDir>/test/jest/builtPage.js',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// test/e2e starts n8n processes and runs separately (`npm run e2e`).
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	// Types are checked by `npm run typecheck`; swc only strips them.
	transform: {
		'^.+\\.(ts|mjs)$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
				module: { type: 'commonjs' },
			},
		],
	},
	// Without durations of an earlier run, jest starts with the largest files, and the slowest
	// tests would start last.
	testSequencer: '<rootDir>/test/jest/longestFirst.js',
	// Against a test that hangs: other programs may need both processors meanwhile.
	testTimeout: 300_000,
	// By default, jest leaves one core idle, which is half of a two-core machine.
	maxWorkers: '100%',
};
