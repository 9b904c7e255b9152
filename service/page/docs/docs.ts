/** Of the script before this one. */
declare const SwaggerUIBundle: (options: object) => unknown;

/** Shows the OpenAPI description; test requests use the key entered on the page. */

// This page is `api/docs`, so the service is two levels above, also behind a proxy.
const service = new URL('..', document.baseURI);
const response = await fetch(new URL('api/openapi.json', service));
const description: unknown = await response.json();

SwaggerUIBundle({
	spec: Object.assign({}, description, { servers: [{ url: service.href }] }),
	dom_id: '#docs',
	deepLinking: true,
	docExpansion: 'none',
	// Swagger's validator would send the description to another server.
	validatorUrl: null,
});

// Swagger UI does not label its list of servers.
const nameServers = () =>
	document.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
const place = document.getElementById('docs');
if (place) new MutationObserver(nameServers).observe(place, { childList: true, subtree: true });
nameServers();

export {};
