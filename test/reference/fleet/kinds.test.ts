import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/reference/index.ts';

describe('the table of kinds', () => {
  it('has no duplicate kind', () => {
    const names = kinds.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is the one in docs/reference-kinds.md', () => {
    const kindsTable = readFileSync(new URL('../../../docs/reference-kinds.md', import.meta.url), 'utf8');
    const rows = kindsTable
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.replace(/ +\|/g, ' |'));
    const expectationText = (kind: (typeof kinds)[number]) =>
      [kind.expect.verdict, kind.expect.reason].filter(Boolean).join(', ');
    expect(rows).toEqual(kinds.map((kind) => `| \`${kind.name}\` | ${kind.imitates} | ${expectationText(kind)} |`));
  });
});
