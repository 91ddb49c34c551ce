import type { z } from 'zod';
import { SCHEMA_VERSION } from '../../views/schema/fields.ts';
import { publishedSchemas, schemaPath } from '../schema/published-schemas.ts';
import { conventions, otherFiles } from './conventions.ts';
import { type CodebookField, fieldsOf } from './fields-of.ts';
import { wordTables } from './words.ts';

/** `CODEBOOK.md`, made from the published schemas: the same for every export of one version. */
export function* codebookText(): Iterable<string> {
  yield `# Codebook\n\nSchema version ${SCHEMA_VERSION}.\n\n${conventions}`;
  for (const { name, shape, files } of publishedSchemas) {
    yield `\n## ${files.map((file) => `\`${file}\``).join(', ')}\n\n`;
    yield `${shape.meta()?.description ?? ''} Schema: \`${schemaPath(name)}\`.\n\n`;
    yield* tableOf(shape);
  }
  yield `\n${otherFiles}`;
  for (const { title, about, columns, rows } of wordTables) {
    yield `\n## ${title}\n\n${about}\n\n${lineOf(columns)}${lineOf(columns.map(() => '---'))}`;
    for (const [word = '', ...rest] of rows) yield lineOf([`\`${word}\``, ...rest]);
  }
}

function* tableOf(shape: z.ZodObject): Iterable<string> {
  yield '| field | type | unit | meaning | null means | source |\n|---|---|---|---|---|---|\n';
  for (const field of fieldsOf(shape)) yield rowOf(field);
}

function rowOf({ path, type, unit, meaning, whenNull, source }: CodebookField): string {
  return lineOf([`\`${path}\``, type, unit ?? '', meaning, whenNull ?? 'never null', source ?? '']);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;
}
