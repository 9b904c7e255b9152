import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// `n8n-node lint` in strict mode accepts only an unchanged eslint.config.mjs, so the additional
// rules are in this file.
const PUBLISHED = ['client/**', 'credentials/**', 'nodes/**'];

export default tseslint.config(
	{
		ignores: [
			'**/node_modules',
			'**/dist',
			'**/dist-service*',
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
	{
		files: PUBLISHED.map((folder) => `${folder}/*.ts`),
		plugins: { '@typescript-eslint': tseslint.plugin },
		rules: { '@typescript-eslint/no-floating-promises': 'error' },
	},
	{ ignores: PUBLISHED, files: ['**/*.{ts,mjs,js}'], ...eslint.configs.recommended },
	{
		ignores: PUBLISHED,
		files: ['**/*.{ts,mjs}'],
		extends: [tseslint.configs.strictTypeChecked],
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// node:test awaits the promises of test().
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
		files: ['service/page/**/*.ts'],
		languageOptions: {
			globals: globals.browser,
			parserOptions: { project: './service/page/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
	},
	{
		files: ['**/*.mjs'],
		languageOptions: {
			parserOptions: { project: './tsconfig.tools.json', tsconfigRootDir: import.meta.dirname },
		},
	},
	{ files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
);
