import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { withGenerated } from './generated.mjs';

/** Errors with a message and a hint per place of use; n8n shows both. */
const MADE_IN_PLACE = new Set(['InvalidInput', 'FeedUnusable', 'EndlessPages']);
/** Base classes without their own message. */
const ABSTRACT = new Set(['DataGridError', 'PassingError', 'StatusError']);
const SOURCE_FOLDERS = ['client', 'nodes'];

/** @typedef {{ name: string, cause: string, titles: string[], hints: string[] }} ErrorClass */

/**
 * Collects the classes of errors with message, cause and hint from the sources.
 * @param {string} root
 */
function classesOf(root) {
	return SOURCE_FOLDERS.flatMap((folder) => sourcesBelow(root, folder)).flatMap((path) =>
		nodesIn(sourceAt(join(root, path))).flatMap((node) => (ts.isClassDeclaration(node) ? classOf(node) : [])),
	);
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

/** A node and all nodes in it. @param {ts.Node} node @returns {ts.Node[]} */
function nodesIn(node) {
	const nodes = [node];
	ts.forEachChild(node, (child) => void nodes.push(...nodesIn(child)));
	return nodes;
}

/** @param {ts.ClassDeclaration} node @returns {ErrorClass[]} the class, if it is one of an error */
function classOf(node) {
	const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
	const name = node.name?.text ?? '';
	if (!/Error$/.test(parent) || ABSTRACT.has(name) || MADE_IN_PLACE.has(name)) return [];
	/** @type {string[]} */
	const titles = [];
	/** @type {string[]} */
	const hints = [];
	for (const inner of nodesIn(node)) {
		if ((ts.isPropertyDeclaration(inner) || ts.isParameter(inner)) && inner.initializer) {
			if (inner.name.getText() === 'title') titles.push(...textsIn(inner.initializer));
			if (inner.name.getText() === 'hint') hints.push(...textsIn(inner.initializer));
		}
		if (ts.isBinaryExpression(inner) && inner.left.getText() === 'this.hint')
			hints.push(...textsIn(inner.right));
		if (
			ts.isCallExpression(inner) &&
			inner.expression.kind === ts.SyntaxKind.SuperKeyword &&
			inner.arguments[0]
		)
			titles.push(...textsIn(inner.arguments[0]));
	}
	for (const [message, hint] of titles.length + hints.length === 0 ? pairsIn(node.getSourceFile()) : []) {
		titles.push(message);
		hints.push(hint);
	}
	return [{ name, cause: causeOf(node), titles: unique(titles), hints: unique(hints) }];
}

/**
 * Message and hint of a class that takes both from a table.
 * @param {ts.SourceFile} source
 * @returns {[string, string][]}
 */
function pairsIn(source) {
	return nodesIn(source).flatMap((node) => {
		if (!ts.isArrayLiteralExpression(node) || node.elements.length !== 2) return [];
		const [message, hint] = node.elements.map((element) => textsIn(element)[0]);
		return message?.includes(' ') && hint !== undefined ? [[message, hint]] : [];
	});
}

/**
 * Texts that an expression may yield, with "…" for interpolated values.
 * @param {ts.Node} node
 * @returns {string[]}
 */
function textsIn(node) {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) {
		const spans = node.templateSpans.map(({ literal }) => `…${literal.text}`);
		return [node.head.text + spans.join('')];
	}
	if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
	if (ts.isParenthesizedExpression(node)) return textsIn(node.expression);
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
		return [...textsIn(node.left), ...textsIn(node.right)];
	if (ts.isIdentifier(node)) {
		const value = constantNamed(node.text, node.getSourceFile());
		return value ? textsIn(value) : [];
	}
	return [];
}

/**
 * @param {string} name of a variable of the file, or a constant that it imports
 * @param {ts.SourceFile} source
 * @returns {ts.Expression | undefined}
 */
function constantNamed(name, source) {
	for (const node of nodesIn(source)) {
		const isNamed = ts.isVariableDeclaration(node) || ts.isParameter(node);
		if (isNamed && node.name.getText() === name && node.initializer) return node.initializer;
	}
	const named = /^[A-Z_]+$/.test(name)
		? source.statements.find((one) => ts.isImportDeclaration(one) && importsOf(one).includes(name))
		: undefined;
	if (!named || !ts.isImportDeclaration(named) || !ts.isStringLiteral(named.moduleSpecifier))
		return undefined;
	return constantNamed(name, sourceAt(`${join(dirname(source.fileName), named.moduleSpecifier.text)}.ts`));
}

/** @param {ts.ImportDeclaration} statement */
function importsOf({ importClause }) {
	const names = importClause?.namedBindings;
	return names && ts.isNamedImports(names) ? names.elements.map((element) => element.name.text) : [];
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
	if (comment === '')
		throw new Error(`The class ${node.name?.text ?? ''} has no comment that tells its cause`);
	return comment
		.replace(/\s*\(§[^)]*\)/g, '')
		.replace(/\s+/g, ' ')
		.replace(/[;.] `[^.]*\./g, '.')
		.trim();
}

/** Name of a class in words, such as "Partly done". @param {string} name */
const wordsOf = (name) =>
	name.replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ error$/, '');

/** @param {string[]} texts */
const unique = (texts) => [...new Set(texts)];

/**
 * Updates the generated part of the errors page.
 * @param {string} page current text
 * @param {string} root
 */
export function withErrors(page, root) {
	const lines = ['', '## Errors of the service, the connection and permissions', ''];
	for (const { name, cause, titles, hints } of classesOf(root)) {
		const heading = titles.find((title) => !title.startsWith('…')) ?? wordsOf(name);
		const others = titles.filter((title) => title !== heading);
		lines.push(`### ${heading}`, '', ...others.map((message) => `Or: ${message}\n`));
		lines.push(`**Cause** (\`${name}\`): ${cause}`, '', '**What to do:**', '');
		lines.push(
			...(hints.length > 0 ? hints : ['See the description of the error.']).map((hint) => `- ${hint}`),
			'',
		);
	}
	return withGenerated(page, lines.join('\n'));
}
