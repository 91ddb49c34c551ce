import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/reference/README.md'],
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(documents)('every link in %s leads to a file of the repository', (document) => {
  // Markdown links, without URLs, links within the page, and fragments.
  const targets = [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target = '']) => target,
  );
  expect(targets.filter((target) => !existsSync(join(repository, dirname(document), target)))).toEqual([]);
});

it('every page of docs is in its index', () => {
  const index = read('docs/README.md');
  const pages = documents.flatMap((name) => /^docs\/([\w-]+\.md)$/.exec(name)?.[1] ?? []);
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([]);
});

const instructions = [
  ...documents,
  ...['data/check/workflow.yml', 'data/conform/action.yml', 'data/check/README.md'],
  ...readdirSync(join(repository, 'data/deploy')).map((name) => `data/deploy/${name}`),
];

it.each(instructions)('%s names the package of the registry at most once, marked "after publication"', (document) => {
  const lines = read(document)
    .split('\n')
    .filter((line) => /\bnpx (?:--yes )?loopscout|\bnpm (?:install|i) (?:--global |-g )?loopscout/.test(line));
  expect(lines.filter((line) => !/after publication/i.test(line))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(1);
});

it('the Grafana dashboard uses only metrics that exist', () => {
  const dashboard = read('data/deploy/grafana-dashboard.json');
  const known = read('src/api/metrics/metrics.ts');
  const used = new Set([...dashboard.matchAll(/loopscout_(\w+)/g)].map(([, name = '']) => name));
  expect(used.size).toBeGreaterThan(8);
  expect([...used].filter((name) => !known.includes(`'${name}'`) && !known.includes(`'loopscout_${name}'`))).toEqual(
    [],
  );
});

it('every decision is in the index', () => {
  const list = read('docs/decisions/README.md');
  expect(decisions.map((path) => path.split('/').at(-1) ?? '').filter((name) => !list.includes(name))).toEqual([
    'README.md',
  ]);
});

it.each(Object.entries(costTables()))(
  'docs/cost-model.md has the table of %s as computed from the unit costs',
  (_, markdown) => {
    expect(read('docs/cost-model.md')).toContain(markdown);
  },
);
