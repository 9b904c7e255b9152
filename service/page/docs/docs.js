/** Shows the description of the API; requests are tried with the key that is entered. */

// This page is `api/docs`: the service lies two levels above, also behind a proxy.
const service = new URL('..', document.baseURI);
const description = await (await fetch(new URL('api/openapi.json', service))).json();

globalThis.SwaggerUIBundle({
	spec: { ...description, servers: [{ url: service.href }] },
	dom_id: '#docs',
	deepLinking: true,
	docExpansion: 'none',
	// The validator of Swagger is another server.
	validatorUrl: null,
});

// Swagger UI gives its list of servers no name.
const nameServers = () =>
	document.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
new MutationObserver(nameServers).observe(document.getElementById('docs'), {
	childList: true,
	subtree: true,
});
nameServers();
