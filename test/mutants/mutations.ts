import ts from 'typescript';

/** A change at one place of a source file. */
export interface Mutation {
	/** Path from the repository root. */
	readonly file: string;
	readonly start: number;
	readonly end: number;
	/** Replacement of an expression; undefined removes a statement. */
	readonly replacement: string | undefined;
	/** File, line and the change, for display. */
	readonly name: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'+': '-',
	'-': '+',
	'*': '/',
	'/': '*',
};

const METHODS = new Map([
	['every', 'some'],
	['some', 'every'],
	['min', 'max'],
	['max', 'min'],
	['startsWith', 'endsWith'],
	['endsWith', 'startsWith'],
	['shift', 'pop'],
	['pop', 'shift'],
]);

/** Methods that return what they are called on, changed. */
const LEFT_OUT = new Set([
	'filter',
	'trim',
	'toLowerCase',
	'slice',
	'sort',
	'toSorted',
	'reverse',
	'normalize',
]);

/** Identifiers and codes; the wording of messages is not mutated. */
const CODE_WORD = /^[\w$.:/*-]+$/;

const isConditionOf = (node: ts.Node, parent: ts.Node): boolean =>
	((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
	(ts.isConditionalExpression(parent) && parent.condition === node);

/** Whether a literal is a value, not a module path, a type or a member name. */
const isValue = (node: ts.Node): boolean =>
	!ts.isLiteralTypeNode(node.parent) &&
	!ts.isImportDeclaration(node.parent) &&
	!ts.isExportDeclaration(node.parent) &&
	!(ts.isPropertyAssignment(node.parent) && node.parent.name === node) &&
	!(ts.isBindingElement(node.parent) && node.parent.propertyName === node) &&
	!ts.isModuleDeclaration(node.parent) &&
	!ts.isExpressionStatement(node.parent);

/** Replacements of an expression. */
function* replacementsOf(node: ts.Expression, text: (part: ts.Node) => string): Generator<string> {
	if (isConditionOf(node, node.parent)) {
		yield `!(${text(node)})`;
		yield 'true';
		yield 'false';
	}
	if (ts.isBinaryExpression(node)) {
		const operator = text(node.operatorToken);
		const [left, right] = [text(node.left), text(node.right)];
		const other = OPERATORS[operator];
		if (other !== undefined) yield `${left} ${other} ${right}`;
		if (['??', '&&', '||'].includes(operator)) yield left;
		if (['&&', '||'].includes(operator)) yield right;
	}
	// Behind a switch, a part of an optional chain would no longer end the chain.
	if (ts.isCallExpression(node) && !ts.isOptionalChain(node)) yield* otherCalls(node, text);
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		yield text(node.operand);
	if (node.kind === ts.SyntaxKind.TrueKeyword && isValue(node)) yield 'false';
	if (node.kind === ts.SyntaxKind.FalseKeyword && isValue(node)) yield 'true';
	if (ts.isNumericLiteral(node) && isValue(node)) yield `(${text(node)} + 1)`;
	if (ts.isStringLiteral(node) && isValue(node) && CODE_WORD.test(node.text)) yield "''";
	if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssignmentTarget(node)) yield '[]';
	if (ts.isAwaitExpression(node)) yield text(node.expression);
}

/** The call of the opposite method, with its first two arguments swapped, or left out. */
function* otherCalls(
	{ expression, arguments: given, typeArguments }: ts.CallExpression,
	text: (part: ts.Node) => string,
): Generator<string> {
	if (typeArguments !== undefined || expression.kind === ts.SyntaxKind.SuperKeyword) return;
	const [first, second, ...others] = given.map(text);
	if (ts.isPropertyAccessExpression(expression)) {
		const { expression: receiver, name } = expression;
		const other = METHODS.get(name.text);
		if (other !== undefined) yield `${text(receiver)}.${other}(${given.map(text).join(', ')})`;
		if (LEFT_OUT.has(name.text)) yield text(receiver);
	}
	if (first !== undefined && second !== undefined)
		yield `${text(expression)}(${[second, first, ...others].join(', ')})`;
}

/** Whether an array literal is a destructuring target. */
const isAssignmentTarget = ({ parent }: ts.Node): boolean =>
	!ts.isExpression(parent) || ts.isBinaryExpression(parent);

/** Whether a statement can be removed without breaking the code after it. */
const isRemovable = (node: ts.Node): node is ts.ExpressionStatement | ts.ThrowStatement =>
	ts.isThrowStatement(node) ||
	(ts.isExpressionStatement(node) &&
		!ts.isStringLiteral(node.expression) &&
		!(
			ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword
		));

/** All mutations of a source file, in source order. */
export function mutationsOf(file: string, content: string): Mutation[] {
	const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
	const found: Mutation[] = [];
	const add = (node: ts.Node, replacement: string | undefined) => {
		const [start, end] = [node.getStart(source), node.getEnd()];
		const line = source.getLineAndCharacterOfPosition(start).line + 1;
		const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100);
		const change = `${short(content.slice(start, end))} -> ${replacement === undefined ? 'nothing' : short(replacement)}`;
		found.push({ file, start, end, replacement, name: `${file}:${line} ${change}` });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
		if (ts.isImportDeclaration(node)) return;
		if (isRemovable(node)) add(node, undefined);
		if (ts.isExpression(node))
			for (const replacement of replacementsOf(node, (part) => part.getText(source))) add(node, replacement);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const overlaps = (one: Mutation, other: Mutation) =>
	one.file === other.file && one.start < other.end && other.start < one.end;

/** Drops mutations that overlap an earlier one, because a file contains all of them at once. */
export function withoutOverlaps(mutations: readonly Mutation[]): Mutation[] {
	const kept: Mutation[] = [];
	for (const one of mutations) if (!kept.some((other) => overlaps(one, other))) kept.push(one);
	return kept;
}

/**
 * Text of a file with each mutation behind a switch.
 * @param switches ID of each mutation
 */
export function switched(content: string, switches: ReadonlyMap<Mutation, number>): string {
	let text = content;
	for (const [{ start, end, replacement }, id] of [...switches].sort(
		([one], [other]) => other.start - one.start,
	)) {
		const original = text.slice(start, end);
		const isOn = `globalThis.mutantIsOn?.(${id})`;
		const code =
			replacement === undefined
				? `{ if (!${isOn}) { ${original} } }`
				: `(${isOn} ? (${replacement}) : (${original}))`;
		text = text.slice(0, start) + code + text.slice(end);
	}
	return text;
}
