import { stdout } from 'node:process';

/** Interval of updates to the live line. */
const LIVE_MS = 150;
/** Interval of lines without a terminal. */
const PLAIN_MS = 10_000;
const MEASURE_MS = 2_000;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Prints one line for the person at the terminal.
 * @param {string} [line]
 */
export function say(line = '') {
	stdout.write(`${line}\n`);
}

/**
 * Prints one line above the live line of {@link withProgress}.
 * @param {string} line
 */
export function sayAbove(line) {
	if (stdout.isTTY) stdout.write('\r\u001b[2K');
	say(line);
}

/**
 * @param {number} ms a duration in milliseconds
 * @returns {string} such as `4.2 s` or `3 min 5 s`
 */
export function duration(ms) {
	const seconds = ms / 1000;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${String(Math.round(seconds))} s`;
	const whole = Math.round(seconds);
	return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
}

/**
 * Lines of the steps that run now: a terminal shows them in one live line.
 * @type {Set<() => string>}
 */
const running = new Set();
let frame = 0;

function showRunning() {
	frame += 1;
	const spinner = SPINNER[frame % SPINNER.length] ?? '';
	const width = Math.floor(Math.max(20, stdout.columns - 3) / Math.max(1, running.size));
	const lines = [...running].map((line) => line().slice(0, width - 1));
	stdout.write(`\r\u001b[2K${spinner} ${lines.join(' ')}`);
}

/**
 * Runs a step with a progress display: a live line on a terminal, otherwise a line every ten
 * seconds.
 *
 * @template T
 * @param {{ label: string, usually?: string, measure?: () => Promise<string> }} step label, usual
 *   duration, and progress (requested every two seconds)
 * @param {() => Promise<T>} work
 * @param {(result: T) => boolean} [passed] whether the step has succeeded
 * @returns {Promise<T>} result of the work
 */
export async function withProgress({ label, usually, measure }, work, passed = () => true) {
	const began = performance.now();
	const live = stdout.isTTY;
	const expectation = usually === undefined ? '' : ` (usually ${usually})`;
	let measured = '';

	const elapsed = () => duration(performance.now() - began);
	const line = () => `${label}${expectation}: ${elapsed()}${measured === '' ? '' : `, ${measured}`}`;
	// Progress is optional: it may be unknown while files appear and vanish.
	const remeasure = async () => {
		measured = (await measure?.().catch(() => '')) ?? '';
	};
	const showPlain = () => {
		say(`  … ${line()}`);
	};
	if (!live) say(`… ${label}${expectation}`);
	running.add(line);
	const timers = [
		setInterval(live ? showRunning : showPlain, live ? LIVE_MS : PLAIN_MS),
		setInterval(() => void remeasure(), MEASURE_MS),
	];
	try {
		const result = await work();
		sayAbove(`${passed(result) ? '✔' : '✖'} ${label}: ${elapsed()}`);
		return result;
	} catch (error) {
		sayAbove(`✖ ${label}: ${elapsed()}`);
		throw error;
	} finally {
		running.delete(line);
		for (const timer of timers) clearInterval(timer);
	}
}
