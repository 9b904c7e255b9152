/** The comments around the generated part of a page. */
const GENERATED =
	/(<!-- (?:Generated|bench:begin)[^]*?-->\n)[^]*(<!-- (?:End of the generated part\.|bench:end) -->)/;

/**
 * Replaces the generated part of a page.
 * @param {string} page
 * @param {string} text
 */
export const withGenerated = (page, text) =>
	page.replace(GENERATED, (_, begin, end) => `${String(begin)}\n${text}\n\n${String(end)}`);
