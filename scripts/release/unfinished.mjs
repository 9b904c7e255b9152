import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';

/** Placeholder of the account that will own the repository. */
const PLACEHOLDER_OWNER = 'n8n-nodes-datagrid';
const PLACEHOLDER_AUTHOR = 'The n8n-nodes-datagrid authors';
/** Reserved domains (RFC 2606). */
const RESERVED_DOMAIN = /(?:^|[.@])(?:example|invalid|test|localhost)$|(?:^|[.@])example\.(?:com|net|org)$/;
const REPOSITORY = /^(?:git\+)?https:\/\/github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/;

/** The required parts of package.json. */
const manifestSchema = z.object({
	version: z.string(),
	homepage: z.string().optional(),
	author: z.object({ name: z.string().optional(), email: z.string().optional() }).optional(),
	repository: z.object({ url: z.string().optional() }).optional(),
});

/**
 * Lists what must be filled in before the package can be published.
 * @param {z.infer<typeof manifestSchema>} manifest
 * @param {string} changelog
 * @param {ReadonlyMap<string, string>} sources files that link to the repository, with their text
 * @returns {string[]} sentences, each with the file to change; none if nothing is missing
 */
export function unfinished(manifest, changelog, sources) {
	const [, owner, name] = REPOSITORY.exec(manifest.repository?.url ?? '') ?? [];
	const page = `https://github.com/${owner}/${name}`;
	const links = [...sources].filter(([, text]) =>
		[...text.matchAll(/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-datagrid/g)].some(([link]) => link !== page),
	);
	const heading = changelog.split('\n').find((line) => line.startsWith(`## ${manifest.version} `));
	return [
		...(owner === undefined || owner === PLACEHOLDER_OWNER
			? ['package.json: `repository.url` does not name the repository on GitHub yet.']
			: []),
		...(manifest.homepage?.startsWith(page) && owner !== PLACEHOLDER_OWNER
			? []
			: ['package.json: `homepage` does not lead to that repository yet.']),
		...(manifest.author?.name && manifest.author.name !== PLACEHOLDER_AUTHOR
			? []
			: ['package.json: `author.name` is a placeholder.']),
		...(manifest.author?.email && !RESERVED_DOMAIN.test(manifest.author.email)
			? []
			: ['package.json: `author.email` is a placeholder.']),
		...links.map(([file]) => `${file}: a link leads to another repository than package.json names.`),
		...(heading && /\d{4}-\d{2}-\d{2}/.test(heading)
			? []
			: [`CHANGELOG.md: version ${manifest.version} has no heading with its date.`]),
	];
}

/**
 * Like `unfinished`, for the folder of the project.
 * @param {string} root
 */
export function unfinishedIn(root) {
	/** @param {string} file */
	const read = (file) => readFileSync(join(root, file), 'utf8');
	const files = execFileSync('git', ['ls-files', '-z', 'credentials', 'nodes/*/*.json', '.github'], {
		cwd: root,
		encoding: 'utf8',
	}).split('\0');
	const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
	const sources = new Map(files.filter((file) => file !== '').map((file) => [file, read(file)]));
	return unfinished(manifest, read('CHANGELOG.md'), sources);
}
