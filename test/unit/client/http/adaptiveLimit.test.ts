import { AdaptiveLimit } from '../../../../client/http/adaptiveLimit';

/** Lets the limit grow to 16. */
function grown(): AdaptiveLimit {
	const adaptive = new AdaptiveLimit(64);
	while (adaptive.value < 16) adaptive.succeeded(adaptive.send(adaptive.value), 10);
	return adaptive;
}

test.each([
	['more requests than the limit, which was lowered meanwhile: half the limit', 40, 8],
	['fewer requests than the limit: half the requests', 6, 3],
])('a refusal at %s', (_what, inFlight, expected) => {
	const adaptive = grown();
	adaptive.refused(adaptive.send(inFlight));
	expect(adaptive.value).toBe(expected);
});
