import { button, h, withValue, type Properties } from '../elements/dom';
import type { Column } from '../session/schemas';
import { membersOf } from '../session/schemas';

/** A link to a file, with members that the page does not know. */
export interface FileLink {
	readonly name?: string;
	readonly url?: string;
}

/**
 * Files by their address: a line with name and address for each. Its `value` is the list as JSON.
 * Other members of a file, e.g. its thumbnails, stay as they are.
 */
export function fileLines(value: readonly FileLink[], properties: Properties<'div'>) {
	const files = new Map<Element, () => FileLink>();
	const list = h('ul', { className: 'lines' });
	const add = (file: FileLink = {}) => {
		const number = files.size + 1;
		const name = h('input', { type: 'text', value: file.name ?? '', placeholder: 'Name', 'aria-label': `Name of file ${number}` }); // prettier-ignore
		const url = h('input', { type: 'url', value: file.url ?? '', placeholder: 'https://…', 'aria-label': `Address of file ${number}` }); // prettier-ignore
		const line = h(
			'li',
			{},
			name,
			url,
			button(
				'✕',
				() => {
					line.remove();
				},
				{ 'aria-label': `Remove file ${number}` },
			),
		);
		files.set(line, () => ({ ...file, name: name.value.trim(), url: url.value.trim() }));
		list.append(line);
		return name;
	};
	for (const file of value) add(file);
	const more = button('Add a link to a file', () => {
		add().focus();
	});
	const group = h('div', { role: 'group', ...properties }, list, more);
	const named = () =>
		[...list.children]
			.map((line) => files.get(line)?.() ?? {})
			.filter(({ name, url }) => name !== '' || url !== '');
	return withValue(group, () => (named().length > 0 ? JSON.stringify(named()) : ''));
}

/** Whether a value is a list of files. */
export const areFiles = (value: unknown): value is FileLink[] =>
	Array.isArray(value) &&
	value.map(membersOf).every(({ url, name }) => typeof url === 'string' || typeof name === 'string');

/**
 * The files of an editor. One without a name gets the last part of its address.
 * @throws Error for a file without an address
 */
export function filesFrom({ name }: Pick<Column, 'name'>, text: string) {
	const files: unknown = JSON.parse(text);
	if (!areFiles(files)) throw new Error(`${name}: this is no list of files`);
	return files.map((file) => {
		const { url = '' } = file;
		if (!URL.canParse(url)) throw new Error(`${name}: “${url}” is not an address of a file`);
		return { ...file, name: file.name || url.split('/').at(-1) || url };
	});
}
