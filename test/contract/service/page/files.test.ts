import { startWithOwner } from '../http';

let context: Awaited<ReturnType<typeof startWithOwner>>;

beforeAll(async () => {
	context = await startWithOwner();
});
afterAll(() => context.service.stop());

const fetchFile = (path: string, headers: Record<string, string> = {}) => fetch(context.service.url + path, { headers }); // prettier-ignore

/** Paths of all files that the page loads, starting with those that its HTML names. */
async function loadedFiles(html: string): Promise<string[]> {
	const text = await (await fetchFile(html)).text();
	const named = [...text.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, path = '']) => path);
	const queue = named.map((path) => new URL(path, context.service.url + html).pathname);
	const seen = new Set<string>();
	for (const path of queue) {
		if (seen.has(path) || !/\.(?:js|css)$/.test(path)) continue;
		seen.add(path);
		const code = await (await fetchFile(path)).text();
		const imports = [...code.matchAll(/^\} from '(\.[^']+)'|^import .* from '(\.[^']+)'/gm)];
		queue.push(
			...imports.map(
				([, first, second]) => new URL(first ?? second ?? '', context.service.url + path).pathname,
			),
		);
	}
	return [...seen];
}

test('every file of the page is served with its security policy and cached until it changes', async () => {
	const own = await loadedFiles('/');
	expect(own).toEqual(['/page.css', '/page.js']);
	const files = [...own, ...(await loadedFiles('/api/docs'))];
	expect(files).toEqual(expect.arrayContaining(['/docs/docs.js', '/docs/docs.css']));
	for (const path of ['/', '/api/docs', ...files]) {
		const response = await fetchFile(path);
		expect([path, response.status]).toEqual([path, 200]);
		const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
		expect([path, policy.filter((rule) => !/^(style|connect|img)-src /.test(rule))]).toEqual([
			path,
			[
				"default-src 'none'",
				"script-src 'self'",
				"base-uri 'none'",
				"form-action 'self'",
				"frame-ancestors 'none'",
			],
		]);
		expect(response.headers.get('x-content-type-options')).toBe('nosniff');
		expect(response.headers.get('cache-control')).toBe('no-cache');
		// fetch sends `no-cache` with validators unless the request has its own Cache-Control.
		const validators = { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
		const again = await fetchFile(path, validators);
		expect([path, again.status]).toEqual([path, 304]);
	}
});

test.each(['br', 'gzip'])('the script and the style of the page are sent as %s', async (encoding) => {
	for (const path of ['/page.js', '/page.css']) {
		const plain = await fetchFile(path, { 'accept-encoding': 'identity' });
		const response = await fetchFile(path, { 'accept-encoding': encoding });
		expect([plain, response].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, encoding]);
		expect(response.headers.get('vary')).toBe('Accept-Encoding');
		expect(response.headers.get('etag')).not.toBe(plain.headers.get('etag'));
		expect(await response.text()).toBe(await plain.text());
	}
});

test.each([
	'/index.html',
	'/page.js.br',
	'/page.ts',
	'/docs/index.html',
	'/docs/',
	'/grid/',
	'/grid',
	'/grid/../../main.ts',
	'/grid/%2e%2e/%2e%2e/main.ts',
	'/%2e%2e/server.ts',
	'/api/docs/package.json',
	'/api/docs/index.html',
	'/api/docs/../../page.js/',
])('%s is not served', async (path) => {
	expect((await fetchFile(path)).status).toBe(404);
});
