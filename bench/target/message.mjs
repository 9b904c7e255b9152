/**
 * An HTTP message as received from a socket.
 * @typedef {object} Message
 * @property {Buffer} bytes the whole message
 * @property {string} head start line, headers and empty line
 * @property {string} start the start line
 * @property {number} length of the body in bytes
 * @property {boolean} closes whether its sender then closes the connection
 */

/**
 * Splits the bytes of a connection into messages. Bodies need a Content-Length, which the service
 * and its clients always send.
 */
export class MessageReader {
	/** @type {Buffer[]} */
	#parts = [];
	#held = 0;
	/** @type {{ text: string, length: number } | undefined} */
	#head;
	#complete;

	/** @param {(message: Message) => void} complete called for each message */
	constructor(complete) {
		this.#complete = complete;
	}

	/** @param {Buffer} bytes */
	take(bytes) {
		this.#parts.push(bytes);
		this.#held += bytes.length;
		if (this.#head !== undefined && this.#held < this.#head.text.length + this.#head.length) return;
		const all = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts, this.#held);
		this.#parts = [all];
		this.#head ??= headOf(all);
		if (this.#head === undefined) return;
		const { text, length } = this.#head;
		const total = text.length + length;
		if (this.#held < total) return;
		this.#parts = [];
		this.#held = 0;
		this.#head = undefined;
		this.#complete({
			bytes: all.subarray(0, total),
			head: text,
			start: text.slice(0, text.indexOf('\r\n')),
			length,
			closes: /\r\nConnection: close/i.test(text),
		});
		if (all.length > total) this.take(all.subarray(total));
	}
}

/** @param {Buffer} bytes */
function headOf(bytes) {
	const end = bytes.indexOf('\r\n\r\n');
	if (end < 0) return undefined;
	const text = bytes.toString('latin1', 0, end + 4);
	if (/\r\nTransfer-Encoding:/i.test(text)) throw new Error(`A body without a length: ${text}`);
	return { text, length: Number(/\r\nContent-Length: *(\d+)/i.exec(text)?.[1] ?? 0) };
}
