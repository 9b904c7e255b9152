/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/jest/oneRealm.js',
	runtime: '<rootDir>/test/jest/runtime.js',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// Those of test/e2e start n8n processes and run by themselves (`npm run e2e`).
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	// The type check is a step of its own (`npm run typecheck`); here swc only strips the types.
	transform: {
		'^.+\\.(ts|mjs)$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
				module: { type: 'commonjs' },
			},
		],
	},
	// Without the times of an earlier run the largest files
	// come first: the longest tests would begin last.
	testSequencer: '<rootDir>/test/jest/longestFirst.js',
	testTimeout: 120_000,
	// By default jest leaves a core to the terminal; on two cores that is half of the machine.
	maxWorkers: '100%',
};
