/** Builds the page of the service before the first test if its sources have changed. */
module.exports = async () => {
	const { bundlePage, isPageBuilt } = await import('../../scripts/bundlePage.mjs');
	if (!isPageBuilt()) await bundlePage();
};
