import { close, constants, fstatSync, mkdirSync, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Bytes of lines that are kept while the file cannot be written; further lines are lost. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** Time until a failed write is repeated. */
const RETRY_MS = 50;
/** Maximum time for a pipe to take pending lines when the service stops. */
const MAX_CLOSING_MS = 1000;

const STDERR = 2;

/** The end of a file or pipe. */
interface Sink {
	/** @returns number of bytes written, at least one */
	write(bytes: Buffer): Promise<number>;
	/** @param writer settles after the last write */
	close(writer: Promise<void>): Promise<void>;
}

function fileSink(fd: number): Sink {
	const writeTo = promisify(write);
	return {
		write: async (bytes) => (await writeTo(fd, bytes)).bytesWritten,
		close: async (writer) => {
			await writer;
			if (fd !== STDERR) close(fd);
		},
	};
}

/** A thread that writes to a pipe which nobody reads would keep the process from exiting. */
function pipeSink(fd: number): Sink {
	const socket = new Socket({ fd, readable: false, writable: true });
	// Failed writes report the same error.
	socket.on('error', () => undefined).unref();
	const writeTo = promisify((bytes: Buffer, done: (error?: Error | null) => void) => {
		socket.write(bytes, done);
	});
	return {
		write: async (bytes) => {
			await writeTo(bytes);
			return bytes.length;
		},
		close: async (writer) => {
			// Ends a write that nobody reads.
			const timer = setTimeout(() => socket.destroy(), MAX_CLOSING_MS);
			await writer;
			clearTimeout(timer);
		},
	};
}

function open(path: string): Sink {
	if (path === '-') {
		const kind = fstatSync(STDERR);
		return kind.isFIFO() || kind.isSocket() ? pipeSink(STDERR) : fileSink(STDERR);
	}
	mkdirSync(dirname(path), { recursive: true });
	const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK } = constants;
	// Without O_NONBLOCK, a named pipe would wait for its reader.
	return fileSink(openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK, 0o600));
}

type Members = Readonly<Record<string, unknown>>;

const lineOf = (members: Members): Buffer =>
	Buffer.from(`${JSON.stringify({ time: new Date().toISOString(), ...members })}\n`);

/**
 * Appends lines of JSON to a file without making anyone wait. While the file cannot be written,
 * e.g. on a full disk, it keeps some lines, and then a count of those that are lost.
 */
export class LogFile {
	private readonly sink: Sink;
	private lines: Buffer[] = [];
	private pendingBytes = 0;
	private lostLines = 0;
	private writing = false;
	private writer = Promise.resolve();
	private failing = false;
	private readonly closing = new AbortController();

	/**
	 * @param path a file, which is created if necessary, or `-` for standard error
	 * @param onFault called once when writing begins to fail
	 * @throws if the file cannot be opened
	 */
	constructor(
		private readonly path: string,
		private readonly onFault: (error: unknown) => void,
	) {
		this.sink = open(path);
	}

	/** Writes a line soon. */
	write(line: Members): void {
		const bytes = lineOf(line);
		if (this.pendingBytes + bytes.length > MAX_PENDING_BYTES) this.lostLines += 1;
		else this.add(bytes);
	}

	/** Writes pending lines if that is possible at once. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.sink.close(this.writer);
	}

	private add(bytes: Buffer): void {
		this.lines.push(bytes);
		this.pendingBytes += bytes.length;
		if (this.writing) return;
		this.writing = true;
		this.writer = this.writeAll();
	}

	private async writeAll(): Promise<void> {
		while (this.lines.length > 0) {
			const bytes = Buffer.concat(this.lines);
			this.lines = [];
			await this.writeBytes(bytes);
			this.pendingBytes -= bytes.length;
			if (this.lostLines > 0 && !this.failing) {
				const { lostLines } = this;
				this.lostLines = 0;
				this.add(lineOf({ lostLines }));
			}
		}
		this.writing = false;
	}

	/** Repeats until everything is written, because part of a line may be in the file. */
	private async writeBytes(bytes: Buffer): Promise<void> {
		for (let rest = bytes; rest.length > 0; ) {
			try {
				rest = rest.subarray(await this.sink.write(rest));
				this.failing = false;
			} catch (error) {
				if (!this.failing) this.report(error);
				this.failing = true;
				if (this.closing.signal.aborted) return;
				await delay(RETRY_MS, undefined, { ref: false, signal: this.closing.signal }).catch(() => undefined);
			}
		}
	}

	private report(error: unknown): void {
		if (this.path !== '-')
			this.onFault(new Error(`The log ${this.path} cannot be written: ${String(error)}`));
	}
}
