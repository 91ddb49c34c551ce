import { parseSync, Visitor } from 'oxc-parser';

/** Imports and `process` members of a module. */
export interface ModuleImports {
  /** Imported module names: static imports, re-exports, type imports, `import()` with a literal, and `import('...')` in types. */
  readonly specifiers: readonly string[];
  /** Whether the module has an `import()` with a computed name, which no rule can check. */
  readonly hasComputedImport: boolean;
  /** Members of `process` accessed by name: `env`, `argv`. */
  readonly processMembers: readonly string[];
}

/** Parses a TypeScript source. Type-only imports are among the `specifiers`. */
export function moduleImports(path: string, text: string): ModuleImports {
  const parsed = parseSync(path, text);
  const { module, errors } = parsed;
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  const processMembers: string[] = [];
  let hasComputedImport = false;
  const addLiteral = (node: { type: string; value?: unknown }) => {
    if (node.type === 'Literal' && typeof node.value === 'string') specifiers.push(node.value);
    else hasComputedImport = true;
  };
  const visitor = new Visitor({
    ImportExpression: ({ source }) => addLiteral(source),
    TSImportType: ({ source }) => addLiteral(source),
    TSExternalModuleReference: ({ expression }) => addLiteral(expression),
    ImportDeclaration: ({ source, specifiers: names }) => {
      if (!/^(?:node:)?process$/.test(source.value)) return;
      for (const name of names) {
        if (name.type !== 'ImportSpecifier') continue;
        processMembers.push(name.imported.type === 'Identifier' ? name.imported.name : name.imported.value);
      }
    },
    MemberExpression: ({ object, property }) => {
      if (object.type !== 'Identifier' || object.name !== 'process') return;
      if (property.type === 'Identifier') processMembers.push(property.name);
      if (property.type === 'Literal') processMembers.push(String(property.value));
    },
    VariableDeclarator: ({ id, init }) => {
      if (init?.type !== 'Identifier' || init.name !== 'process' || id.type !== 'ObjectPattern') return;
      for (const part of id.properties) {
        if (part.type === 'Property' && part.key.type === 'Identifier') processMembers.push(part.key.name);
      }
    },
  });
  // To read the tree takes longer than to parse the text, and few files have what only the tree shows.
  if (/\bprocess\b|\b(?:import|require)\s*\(/.test(text)) visitor.visit(parsed.program);
  return {
    specifiers: [...new Set(specifiers)],
    hasComputedImport,
    processMembers,
  };
}
