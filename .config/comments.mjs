import tseslint from 'typescript-eslint';

/** Width of comments in all code, the published part included, whose own config is n8n's. */
export default tseslint.config(
	// By itself: beside other settings, a folder's name would not leave out what is in it.
	{ ignores: ['**/node_modules', '**/dist', '**/dist-service', '**/build', '**/.data', '**/coverage'] },
	{
		files: ['**/*.{ts,mjs,js}'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'max-len': ['error', { code: 10_000, comments: 100, tabWidth: 2, ignoreUrls: true }],
		},
	},
);
