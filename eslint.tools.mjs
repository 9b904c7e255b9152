import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// n8n's `n8n-node lint` accepts its own eslint.config.mjs only, unchanged to the letter, as the
// package is verified in strict mode. This second file holds the rules that n8n does not have.
const PUBLISHED = ['client/**', 'credentials/**', 'nodes/**'];

export default tseslint.config(
	{
		ignores: [
			'**/node_modules',
			'**/dist',
			'**/dist-service',
			'**/build',
			'**/.data',
			'**/coverage',
			'**/eslint.config.mjs',
		],
	},
	{
		files: ['**/*.{ts,mjs,js}'],
		languageOptions: { parser: tseslint.parser, globals: globals.node },
		linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
		rules: {
			'max-len': ['error', { code: 10_000, comments: 100, tabWidth: 2, ignoreUrls: true }],
		},
	},
	{ ignores: PUBLISHED, files: ['**/*.{ts,mjs,js}'], ...eslint.configs.recommended },
	{
		ignores: PUBLISHED,
		files: ['**/*.{ts,mjs}'],
		extends: [tseslint.configs.strictTypeChecked],
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
		ignores: PUBLISHED,
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
	},
	{
		files: ['**/*.mjs'],
		languageOptions: {
			parserOptions: { project: './tsconfig.tools.json', tsconfigRootDir: import.meta.dirname },
		},
	},
	{ files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
	{
		files: ['service/page/**/*.js'],
		languageOptions: { sourceType: 'module', globals: globals.browser },
	},
);
