import tseslint from 'typescript-eslint';

/** Width of comments in all code, the published part included, whose own config is n8n's. */
export default tseslint.config({
	files: ['**/*.{ts,mjs,js}'],
	ignores: ['**/node_modules', 'dist', 'dist-service', 'build', '.data'],
	languageOptions: { parser: tseslint.parser },
	linterOptions: { reportUnusedDisableDirectives: 'off' },
	rules: {
		'max-len': ['error', { code: 10_000, comments: 100, tabWidth: 2, ignoreUrls: true }],
	},
});
