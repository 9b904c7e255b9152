/** Rich text is HTML that others may have written: it is shown and edited as text. */

const LINES = 'p, div, li, h1, h2, h3, h4, h5, h6, tr, blockquote, pre, br';

/** Opening and closing tags. Their attributes say nothing here, and browsers report handlers. */
const TAGS = /<(\/?[a-z][a-z\d]*)(?:\s(?:"[^"]*"|'[^']*'|[^'">])*)?\/?>/gi;

/** The text of rich text, with a line for each block. Nothing of it is run or loaded. */
export function textOfRich(value: string) {
	if (!/[<&]/.test(value)) return value;
	const { body } = new DOMParser().parseFromString(value.replace(TAGS, '<$1>'), 'text/html');
	for (const one of body.querySelectorAll('script, style, template')) one.remove();
	for (const one of body.querySelectorAll(LINES)) one.after('\n');
	return (body.textContent ?? '').replace(/\n+$/, '');
}

const ESCAPES = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
]);

/** Rich text with the given lines as paragraphs; one line without special characters stays. */
export function richTextOf(text: string) {
	if (!/[<&\n]/.test(text)) return text;
	const paragraph = (line: string) => `<p>${line.replace(/[&<>]/g, (sign) => ESCAPES.get(sign) ?? sign)}</p>`;
	return text.split('\n').map(paragraph).join('');
}
