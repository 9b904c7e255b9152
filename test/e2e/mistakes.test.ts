import { test } from 'node:test';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { mapBeforeRun } from './browser/columnsBeforeRun';
import { lookAtExamples } from './browser/examples';
import { buildInEditor } from './browser/inEditor';
import { mistakes } from './browser/mistakes';
import { stoppedServiceJob } from './browser/stoppedService';

test(`a user makes mistakes in the editor of n8n ${PINNED_N8N}, and is told`, (t) =>
	buildInEditor(t, [...mistakes, stoppedServiceJob], async (demo, browsing) => {
		await t.test('columns of a node that has never run can be mapped', () => mapBeforeRun(demo, browsing));
		await t.test('the examples open and show no red', () => lookAtExamples(demo, browsing));
	}));
