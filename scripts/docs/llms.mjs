/** Raw Markdown of the pages, at addresses that stay: the branch that releases are tagged on. */
const RAW = 'https://raw.githubusercontent.com/n8n-nodes-datagrid/n8n-nodes-datagrid/main/';

/** Pages in the order in which a reader needs them; others follow by name. */
const FIRST = ['README.md', 'docs/jobs.md', 'docs/nodes/entity.md', 'docs/nodes/entityTrigger.md'];
const ABOUT = {
	title: 'n8n-nodes-datagrid',
	summary: 'n8n nodes for the Data-Grid Service, and the service itself.',
};

/**
 * The title of a page and the first sentence below it.
 * @param {string} text
 */
function aboutPage(text) {
	const lines = text.replace(/<!--[^]*?-->/g, '').split('\n');
	const at = lines.findIndex((line) => line.startsWith('# '));
	const start = lines.findIndex((line, index) => index > at && /^[\p{L}"*[]/u.test(line));
	const end = lines.findIndex((line, index) => index > start && line.trim() === '');
	const paragraph = lines.slice(start, end < 0 ? undefined : end).join(' ');
	const plain = paragraph.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');
	return { title: (lines[at] ?? '').slice(2), sentence: /^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain };
}

/**
 * An index of the documentation for language models (https://llmstxt.org).
 * @param {ReadonlyMap<string, string>} pages Markdown by path from the root
 */
export function llmsText(pages) {
	/** @param {string} path */
	const rank = (path) => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length);
	const paths = [...pages.keys()].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
	/** @param {(path: string) => boolean} chosen */
	const listed = (chosen) =>
		paths.filter(chosen).map((path) => {
			const { title, sentence } = aboutPage(pages.get(path) ?? '');
			return `- [${title}](${RAW}${path}): ${sentence.replace(/:$/, '.')}`;
		});
	/** @param {string} path */
	const isForDevelopers = (path) => path.startsWith('docs/development/');
	return [
		`# ${ABOUT.title}`,
		'',
		`> ${ABOUT.summary}`,
		'',
		'## Use it',
		'',
		...listed((path) => !isForDevelopers(path)),
		'',
		'## Optional',
		'',
		...listed(isForDevelopers),
		'',
	].join('\n');
}
