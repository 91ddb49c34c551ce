import { describe, expect, it } from 'vitest';
import type { Domain } from '../../src/domain/domain.ts';
import { importSource } from '../../src/sources/import-source.ts';
import { readItem } from '../../src/sources/read-item.ts';
import type { Source } from '../../src/sources/source.ts';

const sourceOf = (...lines: string[]): Source => ({
  type: 'list',
  label: 'made up',
  async *read() {
    for (const [index, text] of lines.entries()) yield readItem(index + 1, text, { allowSuffixes: ['example'] });
  },
});

describe('importSource', () => {
  it('merges what it met earlier, in this source or in another', async () => {
    const seen = new Set<Domain>();
    const entered: string[] = [];
    const options = { seen, enter: (domain: Domain) => void entered.push(domain), maxListed: 10 };
    const first = await importSource(sourceOf('a.example', 'https://A.example:443/', 'b.example'), options);
    const second = await importSource(sourceOf('b.example', 'c.example'), options);
    expect(first).toMatchObject({ type: 'list', label: 'made up', lines: 3, accepted: 2, merged: 1 });
    expect(second).toMatchObject({ lines: 2, accepted: 1, merged: 1 });
    expect(entered).toEqual(['a.example', 'b.example', 'c.example']);
  });

  it('keeps hosts of one registrable domain, and ports of one host, apart', async () => {
    const options = { seen: new Set<Domain>(), enter: () => {}, maxListed: 10 };
    const report = await importSource(sourceOf('a.example', 'v.a.example', 'a.example:8443'), options);
    expect(report).toMatchObject({ accepted: 3, merged: 0 });
  });

  it('lists as many refusals as it may and counts the rest', async () => {
    const options = { seen: new Set<Domain>(), enter: () => {}, maxListed: 2 };
    const report = await importSource(sourceOf('x', 'y', 'z', '127.1'), options);
    expect(report.refusals.map(({ line }) => line)).toEqual([1, 2]);
    expect(report).toMatchObject({ refused: 4, refusalsOmitted: 2 });
    expect(report.refusedByReason).toEqual({ 'single-label': 3, 'ip-literal': 1 });
  });

  it('waits for each entry', async () => {
    let isEntering = false;
    const enter = async () => {
      expect(isEntering).toBe(false);
      isEntering = true;
      await new Promise((resolve) => setImmediate(resolve));
      isEntering = false;
    };
    await importSource(sourceOf('a.example', 'b.example'), { seen: new Set(), enter, maxListed: 0 });
    expect(isEntering).toBe(false);
  });

  it('stops when told to', async () => {
    const abort = new AbortController();
    const seen = new Set<Domain>();
    const reading = importSource(sourceOf('a.example', 'b.example'), {
      seen,
      enter: () => abort.abort(),
      maxListed: 0,
      signal: abort.signal,
    });
    await expect(reading).rejects.toHaveProperty('name', 'AbortError');
    expect([...seen]).toEqual(['a.example']);
  });
});
