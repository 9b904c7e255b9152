import { test } from 'node:test';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { furtherJobs } from './browser/furtherJobs';
import { buildInEditor } from './browser/inEditor';
import { jobs } from './browser/jobs';

test(`a user builds common workflows in the editor of n8n ${PINNED_N8N}`, (t) =>
	buildInEditor(t, [...jobs, ...furtherJobs]));
