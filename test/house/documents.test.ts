import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costTables } from '../bench/cost-tables.ts';

const repository = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const decisions = readdirSync(join(repository, 'docs/decisions')).map((name) => `docs/decisions/${name}`);

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', ...decisions])('every path in %s exists', (document) => {
  const paths = [...read(document).matchAll(/\b(?:src|test|docs)\/[\w./-]+\.\w+/g)].map(([path]) => path);
  // A file name in capitals is a placeholder.
  const missing = paths.filter((path) => !/\/[A-Z]+\.ts$/.test(path) && !existsSync(join(repository, path)));
  expect(missing).toEqual([]);
});

it('ARCHITECTURE.md has under 1,500 words before its threat table, and describes the path of a domain in at most 15 files', () => {
  const [text = ''] = read('ARCHITECTURE.md').split('## Threats');
  expect(text.split(/\s+/).length).toBeLessThan(1_500);
  expect([...text.matchAll(/^\d+\. `src\//gm)].length).toBeLessThanOrEqual(15);
});

it('every decision is in the index', () => {
  const list = read('docs/decisions/README.md');
  expect(decisions.map((path) => path.split('/').at(-1) ?? '').filter((name) => !list.includes(name))).toEqual([
    'README.md',
  ]);
});

it.each(Object.entries(costTables()))(
  'docs/cost-model.md has the table of %s that its unit costs give',
  (_, markdown) => {
    expect(read('docs/cost-model.md')).toContain(markdown);
  },
);
