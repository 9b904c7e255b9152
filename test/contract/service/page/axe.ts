import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { z } from 'zod/v4';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const violationsSchema = z.array(
	z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);

export const ALL_RULES = { resultTypes: ['violations'] };
/** Both color schemes have one layout, so these rules check only colors. */
const COLOR_RULES = { ...ALL_RULES, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Returns the violations that axe finds in the light and in the dark color scheme. */
export async function violationsOf(page: Page, where: string, rules: object = ALL_RULES) {
	if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
	const inScheme = async (colorScheme: 'light' | 'dark', options: object) => {
		await page.emulateMedia({ colorScheme });
		const found = violationsSchema.parse(
			await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`),
		);
		return found.map(({ id, nodes }) => [where, colorScheme, id, nodes.map(({ html }) => html)]);
	};
	return [...(await inScheme('light', rules)), ...(await inScheme('dark', COLOR_RULES))];
}
