import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FaultRule } from '../../../src/reference/index.ts';

const readme = readFileSync(new URL('../../../src/reference/README.md', import.meta.url), 'utf8');
const table = readme.slice(readme.indexOf('## Faults'), readme.indexOf('## TLS'));
const rows = [...table.matchAll(/^\| `([a-z0-9-]+)` +\| ([^|]*)\| ([^|]*)\|$/gm)].map(([, name, parameters = '']) => ({
  name,
  parameters: [...parameters.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, parameter]) => parameter),
}));
const common = ['route', 'method', 'times', 'probability', 'fault'];

describe('the table of faults in the README', () => {
  it('has every fault with every parameter, in the order of the schema', () => {
    const wanted = FaultRule.options.map(({ shape }) => ({
      name: shape.fault.value,
      parameters: Object.keys(shape).filter((key) => !common.includes(key)),
    }));
    const sorted = (row: { name: string | undefined; parameters: (string | undefined)[] }) => {
      return { ...row, parameters: row.parameters.sort() };
    };
    expect(rows.map(sorted)).toEqual(wanted.map(sorted));
  });
});
