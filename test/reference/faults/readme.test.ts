import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FaultRule } from '../../../src/reference/index.ts';

const readme = readFileSync(new URL('../../../src/reference/README.md', import.meta.url), 'utf8');
const table = readme.slice(readme.indexOf('## Faults'), readme.indexOf('## TLS'));
/** The name of each fault and its parameters, without their defaults, which are in parentheses. */
const rows = [...table.matchAll(/^\| `([a-z0-9-]+)` +\| ([^|]*)\| ([^|]*)\|$/gm)].map(([, name, parameters = '']) => ({
  name,
  parameters: [...parameters.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, parameter]) => parameter),
}));
const keysOfEveryRule = ['route', 'method', 'userAgentWithout', 'times', 'probability', 'fault'];

describe('the table of faults in the README', () => {
  it('has every fault, in the order of the schema, with every parameter', () => {
    const wanted = FaultRule.options.map(({ shape }) => ({
      name: shape.fault.value,
      parameters: Object.keys(shape).filter((key) => !keysOfEveryRule.includes(key)),
    }));
    const withSortedParameters = (row: { name: string | undefined; parameters: (string | undefined)[] }) => {
      return { ...row, parameters: row.parameters.sort() };
    };
    expect(rows.map(withSortedParameters)).toEqual(wanted.map(withSortedParameters));
  });
});
