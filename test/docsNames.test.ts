import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { DataGridApi } from '../credentials/DataGridApi.credentials';
import { DataGridLinkApi } from '../credentials/DataGridLinkApi.credentials';
import { DataGridPushApi } from '../credentials/DataGridPushApi.credentials';
import { nodeTypeNamed } from '../testbed/engine/nodeTypes';

/** Names, defaults and messages in the pages for users are those of the nodes. */
const root = resolve(__dirname, '..');
const PAGES = [
	'README.md',
	...['agents', 'bulk', 'jobs', 'n8n-3', 'queue-mode', 'sync', 'trigger', 'values'].map(
		(page) => `docs/${page}.md`,
	),
];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8').replace(/\s+/g, ' ');

const credentials = [new DataGridApi(), new DataGridLinkApi(), new DataGridPushApi()];
const nodes = [...['entity', 'entityTrigger', 'form', 'grid', 'publicLink', 'pushNotification', 'space']].map(
	(name) => nodeTypeNamed(`n8n-nodes-datagrid.${name}`).description,
);

/** All inputs, those inside collections included. */
const inputsOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) =>
			'values' in option ? inputsOf(option.values) : 'type' in option ? inputsOf([option]) : [],
		),
	]);
const inputs = inputsOf([...nodes, ...credentials].flatMap(({ properties }) => properties));
const choices = inputs.flatMap(({ options = [] }) =>
	options.flatMap((option) => ('value' in option ? [option] : [])),
);
/** As n8n shows a list that an expression may replace, e.g. "View Name or ID"; without the unit. */
const shortened = (label: string) =>
	label
		.replace(/ (?:Name or ID|Names or IDs)$/, '')
		.replace(/ Column$/, ' Columns')
		.replace(/ \(Seconds\)$/, '');
const labels = new Set([
	...[...nodes, ...credentials].map(({ displayName }) => displayName),
	...inputs.flatMap(({ displayName }) => [displayName, shortened(displayName)]),
	...choices.map(({ name }) => name),
]);

/** Labels of n8n's editor, and emphasized words. */
const OF_N8N = new Set([
	'Timeout Workflow',
	...['Always Output Data', 'Fetch Test Event', 'On Error', 'Retry On Fail', 'Map Automatically', 'Settings'],
	...[
		'Community Nodes',
		'Install',
		'If',
		'Send and Wait for Response',
		'Tool Description',
		'Authentication',
		'Import from URL',
		'Import from File',
		'Files',
		'Timeout Workflow',
	],
]);

const SMALL_WORDS = new Set([
	'a',
	'and',
	'at',
	'by',
	'for',
	'if',
	'of',
	'on',
	'or',
	'per',
	'the',
	'to',
	'with',
]);
/** Labels are in title case; other bold text is a sentence. */
const isLabel = (text: string) =>
	!text.endsWith('.') && text.split(' ').every((word) => SMALL_WORDS.has(word) || !/^[a-z]/.test(word));

test.each(PAGES)('%s names only inputs and choices that the nodes have', (page) => {
	const bold = [...textOf(page).matchAll(/\*\*([A-Z][^*]*)\*\*/g)].map((match) => match[1] ?? '');
	const named = bold.filter(isLabel).flatMap((text) => text.split(' > '));
	const unknown = named.filter((name) => !labels.has(name) && !OF_N8N.has(name));
	expect(unknown).toEqual([]);
});

/** E.g. **Requests at a Time** (default 64). */
const DEFAULTS = PAGES.flatMap((page) =>
	[...textOf(page).matchAll(/\*\*([A-Z][^*]*)\*\* \((?:default )?([\d,]+)(?: %)?\)/g)].map(
		([, name = '', value = '']): [string, string, number] => [page, name, Number(value.replace(',', ''))],
	),
);

test.each(DEFAULTS)('%s: the default of "%s" is %d', (_page, name, value) => {
	const defaults = inputs.filter(({ displayName }) => displayName === name).map((input) => input.default);
	expect(defaults).toContain(value);
});

test('docs/trigger.md lists every option of the trigger', () => {
	const page = readFileSync(join(root, 'docs/trigger.md'), 'utf8');
	const section = page.split(/^## /m).find((part) => part.startsWith('Options')) ?? '';
	const listed = [...section.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map((match) => match[1] ?? '');
	const [options] = nodeTypeNamed('n8n-nodes-datagrid.entityTrigger').description.properties.flatMap(
		(property) => (property.name === 'options' ? [property.options ?? []] : []),
	);
	const wanted = (options ?? []).map((option) =>
		shortened('displayName' in option ? option.displayName : option.name),
	);
	expect(listed.sort()).toEqual(['Simplify', ...wanted].sort());
});

/** With its numbers, and what the code puts into it, made equal. */
const numbered = (text: string) => text.replace(/\$\{[^}]*\}|\d+/g, '#');

test('messages that docs/trigger.md quotes are those of the code', () => {
	const sources = ['client', 'nodes']
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
				join(folder, path),
			),
		)
		.filter((path) => path.endsWith('.ts'))
		.map(textOf)
		.join(' ');
	const rows = [...readFileSync(join(root, 'docs/trigger.md'), 'utf8').matchAll(/^\| "([^"]+)"/gm)];
	expect(rows.length).toBeGreaterThan(4);
	const parts = rows.flatMap(([, quoted = '']) => quoted.split('…').map((part) => part.trim()));
	expect(parts.filter((part) => part !== '' && !numbered(sources).includes(numbered(part)))).toEqual([]);
});

test('docs/jobs.md names operations that the nodes have', () => {
	const page = readFileSync(join(root, 'docs/jobs.md'), 'utf8');
	const section = page.split(/^## /m).find((part) => part.startsWith('Twenty-one jobs')) ?? '';
	const rows = section.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Job '));
	expect(rows).toHaveLength(21);
	for (const row of rows) {
		const [node = '', operations = ''] = (row.split('|')[2] ?? '').trim().split(': ');
		const described = nodes.find(({ displayName }) => displayName === node);
		expect([row, described !== undefined]).toEqual([row, true]);
		const names = (described?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options.map(({ name }) => name));
		const wanted = operations.split(/[,;] /).filter((name) => name !== '' && !/^as a? ?tools?$/.test(name));
		expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
	}
});
