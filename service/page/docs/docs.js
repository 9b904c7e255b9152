/** Shows the OpenAPI description; test requests use the key entered on the page. */

// This page is `api/docs`, so the service is two levels above, also behind a proxy.
const service = new URL('..', document.baseURI);
const description = await (await fetch(new URL('api/openapi.json', service))).json();

globalThis.SwaggerUIBundle({
	spec: { ...description, servers: [{ url: service.href }] },
	dom_id: '#docs',
	deepLinking: true,
	docExpansion: 'none',
	// Swagger's validator would send the description to another server.
	validatorUrl: null,
});

// Swagger UI does not label its list of servers.
const nameServers = () =>
	document.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
new MutationObserver(nameServers).observe(document.getElementById('docs'), {
	childList: true,
	subtree: true,
});
nameServers();
