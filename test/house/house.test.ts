import { describe, expect, it } from 'vitest';
import { brokenRules, mayImport, type Tree } from './house-rules.ts';
import { readTree } from './read-tree.ts';

describe('src', () => {
  it('follows the import table and has no cycles', () => {
    const tree = readTree();
    expect(Object.keys(tree)).toContain('model/domain/domain.ts');
    expect(brokenRules(tree)).toEqual([]);
  });
});

describe('the import table', () => {
  it('has no cycles between rooms', () => {
    const reaches = (from: string, to: string, seen: readonly string[] = []): boolean => {
      const next = mayImport[from] ?? [];
      if (next === 'any' || seen.includes(from)) return false;
      return next.includes(to) || next.some((room) => reaches(room, to, [...seen, from]));
    };
    expect(Object.keys(mayImport).filter((room) => reaches(room, room))).toEqual([]);
  });

  it('has a row for every room it names', () => {
    const named = Object.values(mayImport).flatMap((rooms) => (rooms === 'any' ? [] : rooms));
    expect(named.filter((entry) => mayImport[entry.split('/')[0] ?? ''] === undefined)).toEqual([]);
  });
});

/** The rules that a tree breaks; `model/domain.ts` is added to it. */
const faults = (tree: Tree) => brokenRules({ 'model/domain.ts': 'export type Domain = string;', ...tree });

describe('the checker accepts', () => {
  it.each<[string, Tree]>([
    ['what the table allows', { 'store/rows.ts': "import type { Domain } from '../model/domain.ts';" }],
    ['files of the same room', { 'model/parse.ts': "export * from './domain.ts';" }],
    ['any room in app/', { 'app/x.ts': "import '../model/domain.ts'; import '../http/get.ts';", 'http/get.ts': '' }],
    ['packages and Node', { 'model/parse.ts': "import 'node:url'; import { parse } from 'tldts';" }],
    ['SQL in the store', { 'store/open.ts': "import { Kysely } from 'kysely'; import 'better-sqlite3';" }],
    ['a lazy import in cli.ts', { 'cli.ts': "void import('./commands/run.ts'); process.argv;", 'commands/run.ts': '' }],
    ['the environment in settings', { 'settings/environment.ts': 'export const env = process.env;' }],
    ['other members of process', { 'shutdown.ts': "process.once('SIGTERM', () => {});" }],
    [
      'two import paths to one file',
      { 'model/a.ts': "import './b.ts'; import './domain.ts';", 'model/b.ts': "import './domain.ts';" },
    ],
  ])('%s', (_what, tree) => {
    expect(faults(tree)).toEqual([]);
  });
});

describe('the checker reports', () => {
  it.each<[string, Tree, string]>([
    [
      'a forbidden import',
      { 'model/x.ts': "import '../http/get.ts';", 'http/get.ts': '' },
      'model/x.ts imports http/get.ts',
    ],
    [
      'a forbidden type import',
      { 'http/x.ts': "import type { R } from '../store/r.ts';", 'store/r.ts': '' },
      'http/x.ts imports store/r.ts',
    ],
    [
      'a forbidden inline type import',
      { 'http/x.ts': "import { type R } from '../store/r.ts';", 'store/r.ts': '' },
      'http/x.ts imports',
    ],
    [
      'a re-export',
      { 'http/x.ts': "export { R } from '../store/r.ts';", 'store/r.ts': '' },
      'http/x.ts imports store/r.ts',
    ],
    [
      'a re-export of everything',
      { 'http/x.ts': "export * from '../store/r.ts';", 'store/r.ts': '' },
      'http/x.ts imports store/r.ts',
    ],
    [
      'a dynamic import',
      { 'http/x.ts': "await import('../store/r.ts');", 'store/r.ts': '' },
      'http/x.ts imports store/r.ts',
    ],
    [
      'an inline type',
      { 'http/x.ts': "let r: import('../store/r.ts').R;", 'store/r.ts': '' },
      'http/x.ts imports store/r.ts',
    ],
    [
      'a computed import',
      { 'http/x.ts': 'await import(name);' },
      'http/x.ts imports a module by a name that is computed',
    ],
    [
      'a deeper folder',
      { 'http/a/x.ts': "import '../../store/b/r.ts';", 'store/b/r.ts': '' },
      'http/a/x.ts imports store/b/r.ts',
    ],
    [
      'an import of src in the reference server',
      { 'reference/x.ts': "import '../model/domain.ts';" },
      'reference may import nothing of src',
    ],
    [
      'a cli.ts that bypasses the commands',
      { 'cli.ts': "import './app/x.ts';", 'app/x.ts': '' },
      'cli may import commands',
    ],
    [
      'a cycle of files',
      { 'model/a.ts': "import './b.ts';", 'model/b.ts': "import './a.ts';" },
      'model/a.ts -> model/b.ts -> model/a.ts is an import cycle',
    ],
    [
      'a cycle of types',
      { 'model/a.ts': "import type { B } from './b.ts';", 'model/b.ts': "let a: import('./a.ts').A;" },
      'is an import cycle',
    ],
    ['a file that imports itself', { 'model/a.ts': "import './a.ts';" }, 'model/a.ts -> model/a.ts is an import cycle'],
    ['a meaningless file name', { 'model/utils.ts': '' }, 'model/utils.ts has a name'],
    ['a meaningless folder name', { 'model/helpers/x.ts': '' }, 'model/helpers/x.ts has a name'],
    ['a folder without a room', { 'lib/x.ts': '' }, 'lib/x.ts is in no room'],
    ['a file without a room', { 'server.ts': '' }, 'server.ts is in no room'],
    [
      'SQL outside the store',
      { 'export/x.ts': "import type { Kysely } from 'kysely';" },
      'export/x.ts imports kysely, which only store/ may',
    ],
    ['SQL by a subpath import', { 'app/x.ts': "import 'kysely/migration';" }, 'app/x.ts imports kysely/migration'],
    [
      'a migration that imports other code',
      { 'store/migrations/1.ts': "import '../rows.ts';", 'store/rows.ts': '' },
      'migrations import nothing of src',
    ],
    [
      'the environment',
      { 'logger.ts': 'export const l = process.env.LEVEL;' },
      'logger.ts reads process.env, which only settings/environment.ts',
    ],
    [
      'the environment in the reference server',
      { 'reference/x.ts': "process['env'];" },
      'reference/x.ts reads process.env',
    ],
    [
      'the environment by import',
      { 'http/x.ts': "import { env } from 'node:process';" },
      'http/x.ts reads process.env',
    ],
    ['the environment by destructuring', { 'http/x.ts': 'const { env } = process;' }, 'http/x.ts reads process.env'],
    [
      'the command-line arguments',
      { 'commands/x.ts': 'process.argv.slice(2);' },
      'commands/x.ts reads process.argv, which only cli.ts may',
    ],
    [
      'an import of a missing file',
      { 'model/x.ts': "import './y.ts';" },
      'model/x.ts imports ./y.ts, which is not in src',
    ],
  ])('%s', (_what, tree, sentence) => {
    const found = faults(tree);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(sentence);
  });
});
