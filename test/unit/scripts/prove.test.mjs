import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveTrigger } from '../../../scripts/prove/trigger.mjs';

// Jest strips the types of the simulation, so it does not detect type errors.
test('the simulation of the trigger compiles, runs and counts', async () => {
	const { runs, events, lost, duplicated } = await proveTrigger(20, 1, () => undefined);
	assert.equal(runs, 20);
	assert.ok(events > 0);
	assert.deepEqual([lost, duplicated], [0, 0]);
});
