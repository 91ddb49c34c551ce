import { parseSync, Visitor } from 'oxc-parser';

/** The parts of a syntax tree node that are read here. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly expression?: Node;
  readonly arguments?: readonly Node[];
  readonly elements?: readonly (Node | null)[];
}

/**
 * The titles of the tests in a source file, without `describe` titles. `it.each` of a table of literals, inline or in
 * a constant of the same file, has one title per row; placeholders for values that are no literals stay. Other computed
 * titles are omitted.
 */
export function testTitles(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const constants = new Map<string, Node>();
  const calls: Node[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init as Node);
    },
    CallExpression: (node) => {
      calls.push(node as Node);
    },
  }).visit(program);
  const rowsOf = (table: Node | undefined): string[][] => {
    const tableNode = withoutAsConst(table?.type === 'Identifier' ? constants.get(table.name ?? '') : table);
    return (tableNode?.elements ?? []).map((row) => leadingLiterals(withoutAsConst(row ?? undefined)));
  };

  return calls.flatMap(({ callee, arguments: callArguments = [] }) => {
    const title = callArguments[0]?.value;
    if (callee === undefined || typeof title !== 'string') return [];
    if (isTestFunction(callee)) return [title];
    const isEach =
      callee.type === 'CallExpression' &&
      callee.callee?.property?.name === 'each' &&
      isTestFunction(callee.callee.object);
    if (!isEach) return [];
    return rowsOf(callee.arguments?.[0]).map((row) => {
      const values = [...row];
      return title.replace(/%[sdio]/g, (placeholder) => values.shift() ?? placeholder);
    });
  });
}

function isTestFunction(node: Node | undefined): boolean {
  return node?.type === 'Identifier' && (node.name === 'it' || node.name === 'test');
}

/** Unwraps `as const`. */
function withoutAsConst(node: Node | undefined): Node | undefined {
  return node?.type === 'TSAsExpression' ? withoutAsConst(node.expression) : node;
}

/** The literals at the start of a table row, as text. */
function leadingLiterals(row: Node | undefined): string[] {
  const cells = row?.type === 'ArrayExpression' ? (row.elements ?? []) : [row];
  const end = cells.findIndex((cell) => cell?.type !== 'Literal');
  return cells.slice(0, end === -1 ? cells.length : end).map((cell) => String(cell?.value));
}
