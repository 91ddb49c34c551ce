import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonFindings, type JsonSelection, NESTED, selectJson } from '../../src/sources/formats/select-json.ts';

async function* pieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function select(text: string, selection: JsonSelection, size = 1_000_000) {
  const findings: JsonFindings = { values: [], nextPage: null, hasList: false, rootDescription: 'nothing' };
  const entries: unknown[] = [];
  let fault: string | null = null;
  try {
    for await (const entry of selectJson(pieces(text, size), selection, findings)) entries.push(entry);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  return { entries: JSON.parse(JSON.stringify(entries)), findings, fault };
}

describe('selectJson', () => {
  it('yields the entries of the list at the path, even if other lists have the same name', async () => {
    const text = '{"data":{"data":[9]},"x":[{"data":[8]}],"list":{"data":[1,"two",null,{"data":[7]},[5,[6]]]},"z":1}';
    const { entries, findings } = await select(text, { entries: ['list', 'data', '*'] });
    expect(entries).toEqual([1, 'two', null, { data: [7] }, [5, [6]]]);
    expect(findings).toMatchObject({
      hasList: true,
      rootDescription: expect.stringMatching(/^an object with the keys "data"/),
    });
  });

  it('records values outside the entries, and marks a list or an object', async () => {
    const text = '{"meta":{"next":"abc","total":3,"deep":{"next":"no"}},"errors":[1],"data":[{"next":"no"}]}';
    const values = [['meta', 'next'], ['meta', 'total'], ['errors'], ['missing']];
    const { findings } = await select(text, { entries: ['data', '*'], values });
    // The array may end before a value that was not found.
    expect([...findings.values, undefined].slice(0, 4)).toEqual(['abc', 3, NESTED, undefined]);
  });

  it('agrees with JSON.parse on any document, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.integer({ min: 1, max: 40 }), async (list, size) => {
        const text = JSON.stringify({ a: list, b: { c: list } });
        const { entries, fault } = await select(text, { entries: ['b', 'c', '*'] }, size);
        expect(fault).toBeNull();
        expect(entries).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 100 },
    );
  });

  it('rejects exactly what JSON.parse rejects', async () => {
    const parts = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      'true',
      'nul',
      ' ',
      '\n',
      '\\',
      '0',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 12 }), async (tokens) => {
        const text = tokens.join('');
        const isJson = () => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        };
        const { fault } = await select(text, { entries: ['*'] }, 3);
        expect(fault === null, `${text}: ${fault}`).toBe(isJson());
      }),
      { numRuns: 200 },
    );
  });

  it('yields the entries before an error', async () => {
    expect(await select('{"data":["a","b",', { entries: ['data', '*'] })).toMatchObject({
      entries: ['a', 'b'],
      fault: 'it is not JSON: expected a value at the end',
    });
    expect(await select('["a","b"}', { entries: ['*'] })).toMatchObject({ entries: ['a', 'b'] });
  });

  it('truncates large entries', async () => {
    const deep = `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`;
    const { entries } = await select(`[{"host":"x","deep":${deep},"long":"${'y'.repeat(70_000)}"}]`, {
      entries: ['*'],
    });
    expect(entries[0].host).toBe('x');
    expect(JSON.stringify(entries).length).toBeLessThan(300);
  });

  it('drops long keys of a large entry, and keeps its other keys', async () => {
    const longKeys = Array.from({ length: 5 }, (_, index) => `"${index}${'k'.repeat(40_000)}":1`);
    const { entries } = await select(`[{"host":"x",${longKeys.join(',')},"last":"y"}]`, { entries: ['*'] });
    // The second long key exceeds the limit, after which values are replaced.
    expect(Object.keys(entries[0]).map((key) => key.slice(0, 4))).toEqual(['host', '0kkk', 'last']);
    expect(entries[0]).toMatchObject({ host: 'x', last: '…' });
  });

  it('does not parse a whole chunk before it yields entries', async () => {
    const findings: JsonFindings = { values: [], nextPage: null, hasList: false, rootDescription: 'nothing' };
    const text = JSON.stringify({ data: Array.from({ length: 10_000 }, (_, index) => `${index}.example`), end: 1 });
    const entriesWithEnd: unknown[] = [];
    for await (const entry of selectJson(
      pieces(text, 1_000_000),
      { entries: ['data', '*'], values: [['end']] },
      findings,
    ))
      entriesWithEnd.push([entry, findings.values[0]]);
    expect(entriesWithEnd[9_000]).toEqual(['9000.example', undefined]);
    expect(findings.values).toEqual([1]);
    expect(entriesWithEnd).toHaveLength(10_000);
  });

  it('accepts any key name', async () => {
    const { entries } = await select('[{"__proto__":{"host":"x"},"host":"y"}]', { entries: ['*'] });
    expect(entries[0].host).toBe('y');
    expect(Object.hasOwn(Object.prototype, 'host')).toBe(false);
  });
});
