import type { Locator } from 'playwright-core';
import type { Browsing } from '../../../testbed/browser';
import { until } from '../../../testbed/until';

/** A node in the nodes panel: what is typed, the node, and one of its actions. */
export interface Wanted {
	search: string;
	node: string;
	/** Omitted: the node has no list of actions. */
	action?: string;
}

/** Uses the editor as a person does, and counts the clicks. */
export class Person {
	clicks = 0;

	constructor(readonly browsing: Browsing) {}

	byId(testId: string): Locator {
		return this.browsing.byId(testId);
	}

	async click(target: Locator): Promise<void> {
		this.clicks++;
		await target.click();
	}

	/** Clicks into an input and types. */
	async type(input: Locator, text: string): Promise<void> {
		await this.click(input);
		await input.fill(text);
	}

	async newWorkflow(): Promise<void> {
		await this.browsing.newWorkflow();
	}

	/** Pastes nodes of n8n's own; what a job is about is clicked. */
	async paste(nodes: object): Promise<void> {
		await this.browsing.page.evaluate(`
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', ${JSON.stringify(JSON.stringify(nodes))});
			document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
		`);
		await this.byId('canvas-node').first().waitFor();
	}

	/** Takes the first node of a workflow. */
	async begin(wanted: Wanted): Promise<void> {
		await this.click(this.byId('node-creator-plus-button').first());
		await this.take(wanted);
	}

	/** Adds a node behind the last one. */
	async add(wanted: Wanted): Promise<void> {
		await this.click(this.byId('canvas-handle-plus').last());
		await this.take(wanted);
	}

	/** Adds a tool to the agent on the canvas. */
	async addTool(wanted: Wanted): Promise<void> {
		const handle = this.browsing.page.locator('[data-handleid="inputs/ai_tool/0"]');
		const plus = handle.locator('[data-test-id="canvas-handle-plus"]');
		await this.click(plus);
		// The panel opens with other nodes first, and what is typed until then searches those.
		const tools = this.byId('nodes-list-header').getByText('Tools');
		// A busy n8n has stayed with those: a person clicks again.
		await tools.waitFor({ timeout: 30_000 }).catch(() => plus.click());
		await tools.waitFor();
		await this.take(wanted);
	}

	/** The search has the focus when the panel opens. */
	private async take({ search, node, action }: Wanted): Promise<void> {
		await this.byId('node-creator-search-bar').fill(search);
		const found = this.byId('node-creator-node-item').or(this.byId('item-iterator-item'));
		await this.click(found.filter({ hasText: node }).first());
		if (action !== undefined) {
			const item = this.byId('node-creator-item-name').filter({ hasText: action }).first();
			const folded = this.byId('node-creator-category-item').filter({ hasText: 'Actions' });
			await item.or(folded).first().waitFor();
			// Beside an empty canvas n8n keeps the actions folded.
			if (!(await item.isVisible())) await this.click(folded);
			await this.click(item);
		}
		await this.byId('node-parameters').first().waitFor();
	}

	/** Opens a list of the open node. */
	async openList(input: string): Promise<Locator> {
		const list = this.byId(`resource-locator-${input}`).locator('input').last();
		// n8n never fills a list that was opened before the node had its credential.
		const credential = this.byId('node-credentials-select').locator('input').first();
		const isChosen = async () => (await credential.inputValue()) !== '';
		await until('the credential of the node', isChosen);
		await this.click(list);
		return list;
	}

	/** Chooses from a list of the open node. */
	async pick(input: string, name: string): Promise<void> {
		const list = await this.openList(input);
		await this.click(this.byId('rlc-item').filter({ hasText: name }).first());
		// Nor one that was opened before the choice above it was stored.
		await until(`the choice of ${name}`, async () => (await list.inputValue()).includes(name));
	}

	/** Fills inputs of the open node; a text that begins with `=` becomes an expression. */
	async fill(values: Readonly<Record<string, string>>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			const input = this.byId(`parameter-input-${name}`);
			if (value.startsWith('=')) await this.express(input, value.slice(1));
			else await this.type(input.locator('input, textarea').first(), value);
		}
	}

	/** The editor turns an input into an expression as soon as `=` is typed. */
	private async express(input: Locator, expression: string): Promise<void> {
		const { keyboard } = this.browsing.page;
		await this.click(input.locator('input, textarea').first());
		await keyboard.type('=');
		await input.locator('.cm-content').waitFor();
		await keyboard.insertText(expression);
		await input.locator('.cm-content').getByText(expression).waitFor();
		// The editor stores a text a moment after the last key.
		await this.browsing.page.waitForTimeout(1000);
	}

	/** Goes back to the canvas. */
	async close(): Promise<void> {
		await this.click(this.byId('ndv-close-button'));
		await this.byId('node-parameters').first().waitFor({ state: 'hidden' });
	}

	/** Switches an input of the open node on. */
	async switchOn(name: string): Promise<void> {
		await this.click(this.byId(`parameter-input-${name}`).locator('.el-switch').first());
	}

	/** Chooses an entry of the list that an input opens. */
	async choose(input: Locator, entry: string): Promise<void> {
		// It is disabled while its entries load.
		await input.locator('input:enabled').first().waitFor();
		await this.click(input.locator('.el-select').first());
		const { page } = this.browsing;
		await this.click(page.locator('.el-select-dropdown__item:visible', { hasText: entry }).first());
	}

	/** Adds an input of the list of options of the open node. */
	async addOption(name: string): Promise<void> {
		await this.click(this.byId('collection-parameter-add'));
		await this.click(this.byId('collection-parameter-option').getByText(name, { exact: true }));
	}

	/** Executes the open node and waits for a text in its output. */
	async execute(shows: string): Promise<void> {
		await this.click(this.byId('node-execute-button'));
		await this.byId('output-panel').getByText(shows).first().waitFor();
	}

	/** @returns the id of the published workflow */
	async publish(): Promise<string> {
		const { page } = this.browsing;
		await this.click(this.byId('workflow-open-publish-modal-button'));
		await this.click(this.byId('workflow-publish-button'));
		await page.waitForURL(/\/workflow\/(?!new)/);
		await this.byId('workflow-publish-button').waitFor({ state: 'hidden' });
		return /\/workflow\/(?<id>[^/?]+)/.exec(page.url())?.groups?.['id'] ?? '';
	}
}
