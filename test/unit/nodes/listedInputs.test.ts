import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');
const parsed = ts.getParsedCommandLineOfConfigFile(
	join(root, 'tsconfig.json'),
	{},
	{
		...ts.sys,
		onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
			throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '));
		},
	},
);
const files = parsed?.fileNames.filter((file) => relative(root, file).startsWith('nodes')) ?? [];
const program = ts.createProgram(files, { ...parsed?.options, types: [] });
const checker = program.getTypeChecker();
const fileOf = (node: ts.Node) => relative(root, node.getSourceFile().fileName).replaceAll('\\', '/');

/** The functions that make operations. */
const MAKERS = new Set([
	...['accountlessOperation', 'batchOperation', 'concurrentOperation', 'operation'],
	'writeOperation',
]);
/** Members of an operation that list its inputs. */
const LISTS = new Set(['fields', 'notice', 'on', 'options']);

type Declaration = ts.VariableDeclaration | ts.FunctionDeclaration | ts.ClassDeclaration;

/** What an identifier stands for, if it is declared in the nodes. */
function declarationOf(node: ts.Identifier): Declaration | undefined {
	const symbol = ts.isShorthandPropertyAssignment(node.parent)
		? checker.getShorthandAssignmentValueSymbol(node.parent)
		: checker.getSymbolAtLocation(node);
	const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
	const declaration = (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
	if (!declaration || !fileOf(declaration).startsWith('nodes/')) return undefined;
	const isVariable = ts.isVariableDeclaration(declaration);
	return isVariable || ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration)
		? declaration
		: undefined;
}

/** Whether a constant of a module is an input: a `Parameter`. */
function isInput(declaration: Declaration): declaration is ts.VariableDeclaration {
	if (!ts.isVariableDeclaration(declaration) || !ts.isSourceFile(declaration.parent.parent.parent))
		return false;
	const type = checker.getTypeAtLocation(declaration);
	return type.getProperty('property') !== undefined && type.getProperty('read') !== undefined;
}

/** The inputs that code uses, other than for their labels, in all functions that it reaches. */
function inputsIn(starts: readonly ts.Node[]): Set<ts.VariableDeclaration> {
	const inputs = new Set<ts.VariableDeclaration>();
	const reached = new Set<Declaration>();
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node)) return;
		if (!ts.isIdentifier(node)) {
			ts.forEachChild(node, visit);
			return;
		}
		const declaration = declarationOf(node);
		if (!declaration || reached.has(declaration)) return;
		if (!isInput(declaration)) {
			reached.add(declaration);
			visit(declaration);
		} else if (!ts.isPropertyAccessExpression(node.parent)) inputs.add(declaration);
	};
	starts.forEach(visit);
	return inputs;
}

/** An input and those that it is made of: a copy with another label is read by the original. */
function family(input: ts.VariableDeclaration): Set<ts.VariableDeclaration> {
	const members = new Set([input]);
	const reached = new Set<Declaration>([input]);
	const visit = (node: ts.Node): void => {
		// What a description mentions is another input.
		if (ts.isTypeNode(node) || ts.isTemplateExpression(node)) return;
		if (!ts.isIdentifier(node)) {
			ts.forEachChild(node, visit);
			return;
		}
		const declaration = declarationOf(node);
		if (!declaration || reached.has(declaration)) return;
		reached.add(declaration);
		if (isInput(declaration)) members.add(declaration);
		visit(declaration);
	};
	visit(input);
	return members;
}

const isOfOne = (input: ts.VariableDeclaration, others: ReadonlySet<ts.VariableDeclaration>) => {
	const own = family(input);
	return [...others].some((other) => [...family(other)].some((member) => own.has(member)));
};

const nameOf = (input: ts.VariableDeclaration) => input.name.getText();

/** The lists of inputs that a maker adds to those of each operation. */
function listsOf(maker: ts.Expression): ts.Node[] {
	const lists: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node) && LISTS.has(node.name.getText())) lists.push(node);
		else ts.forEachChild(node, visit);
	};
	const declaration = ts.isIdentifier(maker) ? declarationOf(maker) : undefined;
	if (declaration) visit(declaration);
	return lists;
}

/** Of each operation, by its file: the inputs that it lists, and those that its run uses. */
const operations = program.getSourceFiles().flatMap((file) => {
	const found: Array<Record<'listed' | 'options' | 'used', Set<ts.VariableDeclaration>> & { name: string }> =
		[];
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isCallExpression(node) || !MAKERS.has(node.expression.getText())) return;
		const [declared] = node.arguments;
		const members = declared && ts.isObjectLiteralExpression(declared) ? [...declared.properties] : [];
		const membersOf = (isWanted: (name: string) => boolean) =>
			members.filter(({ name }) => isWanted(name?.getText() ?? ''));
		// One maker may call another one.
		if (membersOf((name) => name === 'value').length === 0) return;
		found.push({
			name: fileOf(node),
			listed: inputsIn([...listsOf(node.expression), ...membersOf((name) => LISTS.has(name))]),
			options: inputsIn(membersOf((name) => name === 'options')),
			used: inputsIn([node.expression, ...membersOf((name) => name === 'on' || !LISTS.has(name))]),
		});
	};
	if (/^nodes\/(?!shared\/runner\/)/.test(fileOf(file))) visit(file);
	return found;
});

test.each(operations)('$name uses only inputs that it lists', ({ listed, used }) => {
	expect([...used].filter((input) => !isOfOne(input, listed)).map(nameOf)).toEqual([]);
});

const context = program.getSourceFiles().filter((file) => fileOf(file) === 'nodes/shared/runner/context.ts');
const ofContext = inputsIn(context);

/** So each option would be missed if it were not listed. */
test.each(operations)('$name uses each option that it lists', ({ options, used }) => {
	const all = new Set([...used, ...ofContext]);
	expect([...options].filter((input) => !isOfOne(input, all)).map(nameOf)).toEqual([]);
});
