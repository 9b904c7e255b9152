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
 * Splits the bytes of a connection into messages. Bodies have a length or are chunked, such as
 * pages that the service streams; trailers are not read.
 */
export class MessageReader {
	/** @type {Buffer[]} */
	#parts = [];
	#received = 0;
	/** Number of bytes of the message, as far as it is known. */
	#total = 0;
	/** @type {{ text: string, isChunked: boolean } | undefined} */
	#head;
	#complete;

	/** @param {(message: Message) => void} complete called for each message */
	constructor(complete) {
		this.#complete = complete;
	}

	/** @param {Buffer} bytes */
	take(bytes) {
		this.#parts.push(bytes);
		this.#received += bytes.length;
		if (this.#received < this.#total) return;
		const all = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts, this.#received);
		this.#parts = [all];
		if (!this.#isComplete(all)) return;
		const text = this.#head?.text ?? '';
		const total = this.#total;
		this.#parts = [];
		this.#received = 0;
		this.#total = 0;
		this.#head = undefined;
		this.#complete({
			bytes: all.subarray(0, total),
			head: text,
			start: text.slice(0, text.indexOf('\r\n')),
			length: total - text.length,
			closes: /\r\nConnection: close/i.test(text),
		});
		if (all.length > total) this.take(all.subarray(total));
	}

	/** Reads the head, then the length of each chunk as it arrives. @param {Buffer} all */
	#isComplete(all) {
		if (this.#head === undefined) {
			const end = all.indexOf('\r\n\r\n');
			if (end < 0) return false;
			const text = all.toString('latin1', 0, end + 4);
			this.#head = { text, isChunked: /\r\nTransfer-Encoding: *chunked/i.test(text) };
			this.#total = text.length + Number(/\r\nContent-Length: *(\d+)/i.exec(text)?.[1] ?? 0);
		}
		while (this.#head.isChunked && all.length > this.#total) {
			const end = all.indexOf('\r\n', this.#total);
			if (end < 0) return false;
			const length = parseInt(all.toString('latin1', this.#total, end), 16);
			this.#head.isChunked = length > 0;
			this.#total = end + 2 + length + 2;
		}
		return !this.#head.isChunked && all.length >= this.#total;
	}
}
