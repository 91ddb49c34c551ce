import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FACT_LEAVES } from '../../src/model/facts/fact-leaves.ts';

const src = join(import.meta.dirname, '../../src');
const texts = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('reference'))
    .map((path) => [path, readFileSync(join(src, path), 'utf8')]),
);

const factNames = FACT_LEAVES.filter(({ parent }) => parent === 'features' || parent === 'limits').map(
  ({ key }) => key,
);

it('the table of facts has at least nine features and limits', () => {
  expect(factNames.length).toBeGreaterThanOrEqual(9);
});

it.each(factNames)('%s occurs in the table of facts and in at most three other files', (name) => {
  const files = [...texts].filter(([, text]) => new RegExp(`\\b${name}\\b`).test(text)).map(([path]) => path);
  expect(files).toContain('model/facts/instance-facts.ts');
  expect(files.length, files.join(', ')).toBeLessThanOrEqual(4);
});
