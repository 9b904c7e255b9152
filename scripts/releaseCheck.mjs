// `npm run release:check`: fails while package.json contains placeholders (see
// docs/development/release.md).
import { unfinishedIn } from './release/unfinished.mjs';
import { runCommand } from './setup/entry.mjs';
import { root } from './setup/paths.mjs';
import { say } from './setup/terminal.mjs';

await runCommand(async () => {
	const sentences = await Promise.resolve(unfinishedIn(root));
	for (const sentence of sentences) say(`✖ ${sentence}`);
	say(
		sentences.length === 0
			? '✔ Ready to be published.'
			: 'Fill these in; docs/development/release.md describes how.',
	);
	return sentences.length === 0;
});
