import { Gate, type GateEvidence } from '../../../../client/http/gate';

const [BUSY, GONE] = [{ service: 'busy' }, { service: 'gone' }] as const;
const [ANSWERED, NOTHING] = [{ service: 'answered' }, { service: undefined }] as const;

/** A gate whose random waits are the shortest. */
const newGate = () => new Gate<string>(() => 0);

/** Ends a request for each time. */
function fail(gate: Gate<string>, times: readonly number[], end: GateEvidence = GONE): void {
	for (const time of times) gate.ended('request', end, time);
}

/** A gate that four failures have closed until 250. */
function closedGate(): Gate<string> {
	const gate = newGate();
	fail(gate, [0, 0, 0, 0]);
	return gate;
}

/** The same after one request was sent at 250 to find out whether the service is back. */
function probingGate(): Gate<string> {
	const gate = closedGate();
	gate.sent('probe', 250);
	return gate;
}

test.each<[string, GateEvidence, readonly number[], boolean]>([
	['three failures', GONE, [0, 0, 0], true],
	['four failures', GONE, [0, 0, 0, 0], false],
	['four refusals because of load within 249 ms', BUSY, [0, 0, 0, 249], true],
	['four refusals because of load within 250 ms', BUSY, [0, 0, 0, 250], false],
	['requests that were not sent', NOTHING, [0, 0, 0, 0, 0], true],
])('%s: %j at %j leave the gate open: %s', (_what, end, times, isOpen) => {
	const gate = newGate();
	fail(gate, times, end);
	expect(gate.isOpen).toBe(isOpen);
});

test('only failures without a success between them count', () => {
	const gate = newGate();
	fail(gate, [0, 0, 0]);
	expect(gate.ended('request', ANSWERED, 0)).toBe(false);
	fail(gate, [0, 0, 0]);
	expect(gate.isOpen).toBe(true);
});

test('a closed gate waits for a shortest time, and then sends one request', () => {
	const gate = closedGate();
	expect([gate.waitLeft(0), gate.waitLeft(249), gate.waitLeft(250), gate.waitLeft(251)]).toEqual([
		250, 1, 0, 0,
	]);
	gate.sent('probe', 250);
	expect([gate.waitLeft(250), gate.waitLeft(2249), gate.waitLeft(2250)]).toEqual([2000, 1, 0]);
	expect(['probe', 'request'].map((request) => gate.isFirstAfterAbsence(request))).toEqual([true, false]);
	// It takes so long that it was no refusal.
	gate.sent('next', 2250);
	expect(gate.isOpen).toBe(true);
});

test.each<[string, GateEvidence, boolean, boolean, number]>([
	['answered opens the gate', ANSWERED, true, true, 0],
	['failed closes it for twice as long', GONE, false, false, 500],
	['refused because of load does, too', BUSY, false, false, 500],
	['not sent lets the next one find out at once', NOTHING, false, false, 0],
])('a probe that was %s', (_what, end, isBack, isOpen, wait) => {
	const gate = probingGate();
	expect(gate.ended('probe', end, 250)).toBe(isBack);
	expect([gate.isOpen, gate.waitLeft(250)]).toEqual([isOpen, wait]);
});

test('requests sent before the gate closed open it, but close it no second time', () => {
	const gate = closedGate();
	fail(gate, [100]);
	expect(gate.waitLeft(100)).toBe(150);
	expect(gate.ended('request', ANSWERED, 100)).toBe(true);
	expect(gate.isOpen).toBe(true);
});

test('the wait doubles up to five seconds, and is short again after a success', () => {
	const gate = newGate();
	const waits: number[] = [];
	fail(gate, [0, 0, 0, 0]);
	let now = 0;
	for (let closing = 0; closing < 6; closing++) {
		waits.push(gate.waitLeft(now));
		now += gate.waitLeft(now);
		gate.sent('probe', now);
		gate.ended('probe', GONE, now);
	}
	expect(waits).toEqual([250, 500, 1000, 2000, 2500, 2500]);
	now += gate.waitLeft(now);
	gate.sent('probe', now);
	gate.ended('probe', ANSWERED, now);
	fail(gate, [now, now, now, now]);
	expect(gate.waitLeft(now)).toBe(250);
});

describe('a pause that the service requested', () => {
	test('is not ended by a success of another request', () => {
		const gate = newGate();
		gate.ended('request', { ...BUSY, pause: 1000 }, 0);
		expect(gate.ended('request', ANSWERED, 0)).toBe(false);
		expect(gate.waitLeft(0)).toBe(1000);
		gate.sent('first', 1000);
		expect(gate.isFirstAfterAbsence('first')).toBe(false);
		expect(gate.ended('first', ANSWERED, 1000)).toBe(true);
	});

	test.each([
		[500, 1000],
		[2000, 2000],
	])('of %d ms after one of a second ends after %d ms', (pause, wait) => {
		const gate = newGate();
		for (const one of [1000, pause]) gate.ended('request', { ...BUSY, pause: one }, 0);
		expect(gate.waitLeft(0)).toBe(wait);
	});

	test.each([
		[0, 1099],
		[1, 1198],
	])('is extended by a random wait, which doubles: after %d closings up to %d ms', (closings, longest) => {
		const gate = new Gate<string>(() => 0.99);
		let now = 0;
		const pause = () => gate.ended('first', { ...BUSY, pause: 1000 }, now);
		for (let closing = 0; closing < closings; closing++) {
			pause();
			now += gate.waitLeft(now);
			gate.sent('first', now);
		}
		pause();
		expect(Math.ceil(gate.waitLeft(now))).toBe(longest);
	});
});
