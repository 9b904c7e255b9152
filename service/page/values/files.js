import { button, h } from '../elements/dom';

/**
 * Files by their address: a line with name and address for each. Its `value` is the list as JSON.
 * Other members of a file, e.g. its thumbnails, stay as they are.
 */
export function fileLines(value, properties) {
	const files = new Map();
	const list = h('ul', { className: 'lines' });
	const add = (file = {}) => {
		const number = files.size + 1;
		const name = h('input', { type: 'text', value: file.name ?? '', placeholder: 'Name', 'aria-label': `Name of file ${number}` }); // prettier-ignore
		const url = h('input', { type: 'url', value: file.url ?? '', placeholder: 'https://…', 'aria-label': `Address of file ${number}` }); // prettier-ignore
		const line = h(
			'li',
			{},
			name,
			url,
			button('✕', () => line.remove(), { 'aria-label': `Remove file ${number}` }),
		);
		files.set(line, () => ({ ...file, name: name.value.trim(), url: url.value.trim() }));
		list.append(line);
		return name;
	};
	for (const file of value) add(file);
	const more = button('Add a link to a file', () => add().focus());
	const group = h('div', { role: 'group', ...properties }, list, more);
	const named = () =>
		[...list.children].map((line) => files.get(line)()).filter(({ name, url }) => name !== '' || url !== '');
	return Object.defineProperty(group, 'value', {
		get: () => (named().length > 0 ? JSON.stringify(named()) : ''),
	});
}

/** Whether a value is a list of files. */
export const areFiles = (value) =>
	Array.isArray(value) &&
	value.every((file) => typeof file?.url === 'string' || typeof file?.name === 'string');

/**
 * The files of an editor. One without a name gets the last part of its address.
 * @throws Error for a file without an address
 */
export function filesFrom({ name }, text) {
	return JSON.parse(text).map((file) => {
		if (!URL.canParse(file.url)) throw new Error(`${name}: “${file.url}” is not an address of a file`);
		return { ...file, name: file.name || file.url.split('/').at(-1) || file.url };
	});
}
