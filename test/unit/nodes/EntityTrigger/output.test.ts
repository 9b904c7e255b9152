import type { Update } from '../../../../client';
import { mayBeShown } from '../../../../nodes/EntityTrigger/output';

test.each<[Update['kind'], string, boolean, boolean]>([
	['created', 'inside', false, true],
	['created', 'outside', true, false],
	['updated', 'inside', false, true],
	['updated', 'outside', true, false],
	// It is no longer in any view.
	['deleted', 'outside', true, true],
	['deleted', 'inside', false, false],
	['structure', '', false, true],
])('a view shows that something was %s (row "%s", with deletions: %s): %s', (...row) => {
	const [kind, entityId, includeDeleted, isShown] = row;
	const update = { kind, entityId, changes: [], raw: {} };
	expect(mayBeShown(update, { includeDeleted }, new Set(['inside']))).toBe(isShown);
});
