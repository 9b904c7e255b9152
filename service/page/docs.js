/** Shows the description of the API; requests are tried with the key that is entered. */
globalThis.SwaggerUIBundle({
	url: '/api/openapi.json',
	dom_id: '#docs',
	deepLinking: true,
	docExpansion: 'none',
	// The validator of Swagger is another server.
	validatorUrl: null,
});
