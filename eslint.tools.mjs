import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Rules for everything that is not published: the service, tests, benchmarks and scripts. */
export default tseslint.config(
	{
		ignores: [
			'**/node_modules',
			'dist',
			'dist-service',
			'build',
			'.data',
			'coverage',
			'**/eslint.config.mjs',
		],
	},
	{ linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
	eslint.configs.recommended,
	{
		files: ['**/*.ts', '**/*.mjs'],
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: { globals: globals.node },
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// node:test collects what test() returns by itself.
			'@typescript-eslint/no-floating-promises': [
				'error',
				{ allowForKnownSafeCalls: [{ from: 'package', name: 'test', package: 'node:test' }] },
			],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			eqeqeq: 'error',
			'no-console': 'error',
			'prefer-const': 'error',
		},
	},
	{
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
	},
	{
		files: ['**/*.mjs'],
		languageOptions: {
			parserOptions: { project: './tsconfig.tools.json', tsconfigRootDir: import.meta.dirname },
		},
	},
	{
		files: ['**/*.js'],
		languageOptions: { sourceType: 'commonjs', globals: globals.node },
	},
);
