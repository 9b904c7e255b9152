import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A page whose blocks below `<!-- from <file> -->` hold that file as it is. Prettier leaves them alone: it would indent them as it does a page.
 * @param {string} page
 * @param {string} root
 */
export function withSources(page, root) {
	return page.replace(
		/(<!-- from (\S+) -->\n\n<!-- prettier-ignore -->\n```\w+\n)[\s\S]*?```/g,
		(_, begin, path) => `${String(begin)}${readFileSync(join(root, String(path)), 'utf8')}\`\`\``,
	);
}
