/** What mail programs and chats put around an address. */
const AROUND = /^[\s<"'(]+|[\s>"')]+$/g;

/** An address without the `https://` that browsers hide. */
const WITHOUT_SCHEME = /^[\w-]+(\.[\w-]+)+(:\d+)?\/\S*$/;

/** An address as a person may paste it, without what is around it and with its scheme. */
export function bareAddress(text: string): string {
	const bare = text.replaceAll(AROUND, '');
	return WITHOUT_SCHEME.test(bare) ? `https://${bare}` : bare;
}

/**
 * The address of a public link (§4.6) that a page of the service shows, such as
 * `https://grids.example.com/?link=%2Fapi%2Fa%2Fu1%2Fl1`. Any other address is returned unchanged,
 * also one that leads to another server.
 */
export function linkInPage(page: URL): URL {
	const link = page.searchParams.get('link');
	if (link === null || LINK_PATH.test(page.pathname) || !URL.canParse(link, page.href)) return page;
	const url = new URL(link, page);
	return url.origin === page.origin && LINK_PATH.test(url.pathname) ? url : page;
}

/** §4.6. Group 1 is the path of the service. */
export const LINK_PATH = /^(.*?)\/api\/[ar]\/[^/]+/;
