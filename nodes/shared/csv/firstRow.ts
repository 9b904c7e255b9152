/** Line ends as `CsvReader` counts them: carriage returns before a line feed belong to it. */
const LINE_END = /\r*\n|\r(?=[^\r\n])/g;

/**
 * The text after the first lines of a file, which may be a title or comments.
 * @param texts the file in parts
 * @param count number of lines to leave out
 */
export async function* withoutLines(texts: AsyncIterable<string>, count: number): AsyncGenerator<string> {
	let left = count;
	let held = '';
	for await (const text of texts) {
		if (left === 0) {
			yield text;
			continue;
		}
		held += text;
		let start = 0;
		for (const { index, 0: end } of held.matchAll(LINE_END)) {
			start = index + end.length;
			left -= 1;
			if (left === 0) break;
		}
		held = held.slice(start);
		if (left > 0) {
			// The next part may begin with the line feed of these carriage returns.
			held = /\r*$/.exec(held)?.[0] ?? '';
			continue;
		}
		yield held;
		held = '';
	}
}
