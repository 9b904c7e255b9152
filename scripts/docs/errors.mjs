import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Errors with a message and a hint per place of use; n8n shows both. */
const MADE_IN_PLACE = new Set(['InvalidInput', 'FeedUnusable', 'EndlessPages']);
/** Base classes without their own message. */
const ABSTRACT = new Set(['DataGridError', 'PassingError', 'StatusError']);
const SOURCE_FOLDERS = ['client', 'nodes'];

/** @typedef {{ name: string, cause: string, titles: string[], hints: string[] }} ErrorClass */

/**
 * Collects the classes of errors with message, cause and hint from the sources.
 * @param {string} root
 * @returns {ErrorClass[]}
 */
function classesOf(root) {
	/** @type {ErrorClass[]} */
	const classes = [];
	for (const path of SOURCE_FOLDERS.flatMap((folder) => sourcesBelow(root, folder))) {
		const source = sourceAt(join(root, path));
		/** @param {ts.Node} node */
		const visit = (node) => {
			const found = ts.isClassDeclaration(node) ? classOf(node, source) : undefined;
			if (found) classes.push(found);
			ts.forEachChild(node, visit);
		};
		visit(source);
	}
	return classes;
}

/** @param {string} root @param {string} folder @returns {string[]} */
function sourcesBelow(root, folder) {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.flatMap((entry) => {
			const path = `${folder}/${entry.name}`;
			if (entry.isDirectory()) return sourcesBelow(root, path);
			return path.endsWith('.ts') ? [path] : [];
		});
}

/**
 * @param {ts.ClassDeclaration} node
 * @param {ts.SourceFile} source
 * @returns {ErrorClass | undefined}
 */
function classOf(node, source) {
	const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText(source) ?? '';
	const name = node.name?.text ?? '';
	if (!/Error$/.test(parent) || ABSTRACT.has(name) || MADE_IN_PLACE.has(name)) return undefined;
	/** @type {string[]} */
	const titles = [];
	/** @type {string[]} */
	const hints = [];
	/** @param {ts.Node} inner */
	const visit = (inner) => {
		if (ts.isPropertyDeclaration(inner) && inner.initializer) {
			if (inner.name.getText(source) === 'title') titles.push(...textsIn(inner.initializer, source));
			if (inner.name.getText(source) === 'hint') hints.push(...textsIn(inner.initializer, source));
		}
		if (ts.isBinaryExpression(inner) && inner.left.getText(source) === 'this.hint')
			hints.push(...textsIn(inner.right, source));
		if (
			ts.isCallExpression(inner) &&
			inner.expression.kind === ts.SyntaxKind.SuperKeyword &&
			inner.arguments[0]
		)
			titles.push(...textsIn(inner.arguments[0], source));
		if (ts.isParameter(inner) && inner.name.getText(source) === 'title' && inner.initializer)
			titles.push(...textsIn(inner.initializer, source));
		ts.forEachChild(inner, visit);
	};
	visit(node);
	for (const [message, hint] of titles.length + hints.length === 0 ? pairsIn(source) : []) {
		titles.push(message);
		hints.push(hint);
	}
	return { name, cause: causeOf(node), titles: unique(titles), hints: unique(hints) };
}

/**
 * Message and hint of a class that takes both from a table.
 * @param {ts.SourceFile} source
 * @returns {[string, string][]}
 */
function pairsIn(source) {
	/** @type {[string, string][]} */
	const pairs = [];
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isArrayLiteralExpression(node) && node.elements.length === 2) {
			const [message, hint] = node.elements.map((element) => textsIn(element, source)[0]);
			if (message?.includes(' ') && hint !== undefined) pairs.push([message, hint]);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return pairs;
}

/**
 * Texts that an expression may yield, with "…" for interpolated values.
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 * @returns {string[]}
 */
function textsIn(node, source) {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) {
		const spans = node.templateSpans.map(({ literal }) => `…${literal.text}`);
		return [node.head.text + spans.join('')];
	}
	if (ts.isConditionalExpression(node))
		return [...textsIn(node.whenTrue, source), ...textsIn(node.whenFalse, source)];
	if (ts.isParenthesizedExpression(node)) return textsIn(node.expression, source);
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
		return [...textsIn(node.left, source), ...textsIn(node.right, source)];
	if (ts.isIdentifier(node)) {
		const value = constantNamed(node.text, source);
		return value ? textsIn(value, source) : [];
	}
	return [];
}

/**
 * @param {string} name of a variable of the file, or a constant that it imports
 * @param {ts.SourceFile} source
 * @returns {ts.Expression | undefined}
 */
function constantNamed(name, source) {
	/** @type {ts.Expression | undefined} */
	let found;
	/** @param {ts.Node} node */
	const visit = (node) => {
		const isNamed = ts.isVariableDeclaration(node) || ts.isParameter(node);
		if (isNamed && node.name.getText(source) === name) found ??= node.initializer;
		ts.forEachChild(node, visit);
	};
	visit(source);
	for (const statement of found ? [] : source.statements) {
		if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
		const names = statement.importClause?.namedBindings;
		const isImported =
			names && ts.isNamedImports(names) && names.elements.some((element) => element.name.text === name);
		if (!isImported || !/^[A-Z_]+$/.test(name)) continue;
		const path = `${join(dirname(source.fileName), statement.moduleSpecifier.text)}.ts`;
		found = constantNamed(name, sourceAt(path));
	}
	return found;
}

/** @param {string} path */
const sourceAt = (path) =>
	ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);

/**
 * First sentence of the class's comment, without references to the specification.
 * @param {ts.ClassDeclaration} node
 */
function causeOf(node) {
	const comment = ts
		.getJSDocCommentsAndTags(node)
		.map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
		.join(' ');
	return comment
		.replace(/\s*\(§[^)]*\)/g, '')
		.replace(/\s+/g, ' ')
		.replace(/[;.] `[^.]*\./g, '.')
		.trim();
}

/** @param {string[]} texts */
const unique = (texts) => [...new Set(texts)];

const BEGIN = '<!-- Generated from the sources by `npm run docs`; do not edit this part. -->';
const END = '<!-- End of the generated part. -->';

/**
 * Updates the generated part of the errors page.
 * @param {string} page current text
 * @param {string} root
 */
export function withErrors(page, root) {
	const lines = ['', '## Errors of the service, the connection and permissions', ''];
	for (const { name, cause, titles, hints } of classesOf(root)) {
		const [first = 'The message depends on the operation', ...others] = titles;
		lines.push(`### ${first}`, '', ...others.map((message) => `Or: ${message}\n`));
		lines.push(`**Cause** (\`${name}\`): ${cause}`, '', '**What to do:**', '');
		lines.push(
			...(hints.length > 0 ? hints : ['See the description of the error.']).map((hint) => `- ${hint}`),
			'',
		);
	}
	const [before = '', rest = ''] = page.split(BEGIN);
	const after = rest.split(END)[1] ?? '';
	return `${before}${BEGIN}\n${lines.join('\n')}\n${END}${after}`;
}
