import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/model/domain/domain.ts';
import { readItem } from '../../src/sources/formats/read-item.ts';
import { importSource } from '../../src/sources/import-source.ts';
import { type Source, type SourceContext, type SourceEnd, SourceError } from '../../src/sources/source.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';

const complete: SourceEnd = { outcome: 'complete', why: null, etag: 'e', lastModified: null, requests: 2, bytes: 30 };

/** A source that yields these lines, then ends with the result or throws the error. */
const sourceOf = (lines: Iterable<string>, ending: SourceEnd | Error = complete): Source => ({
  type: 'list',
  key: 'list made up',
  label: 'made up',
  host: null,
  async *read() {
    let line = 0;
    for (const text of lines) yield readItem(++line, text, { allowSuffixes: ['example'] }, 'Loops');
    if (ending instanceof Error) throw ending;
    return ending;
  },
});

const contextOf = (signal = new AbortController().signal): SourceContext => ({
  http: null,
  previous: null,
  selectHtml: selectHtmlInThread,
  signal,
  now: Date.now,
});

function collector() {
  const chunks: (readonly Candidate[])[] = [];
  const enter = (chunk: readonly Candidate[]) => void chunks.push(chunk);
  return { enter, chunks, domains: () => chunks.flat().map(({ domain }) => domain) };
}

function* numbered(count: number) {
  for (let index = 0; index < count; index += 1) yield `host-${index}.example`;
}

describe('importSource', () => {
  it('merges duplicates within a run, and keeps the reported software', async () => {
    const { enter, chunks } = collector();
    const lines = ['a.example', 'https://A.example:443/', 'b.example'];
    const { result, error } = await importSource(sourceOf(lines), {
      enter,
      maxReportedRefusals: 10,
      context: contextOf(),
    });
    expect(error).toBeNull();
    expect(result).toMatchObject({ ...complete, lines: 3, accepted: 2, merged: 1, refused: 0 });
    expect(chunks.flat()).toEqual([
      { domain: 'a.example', software: 'loops' },
      { domain: 'b.example', software: 'loops' },
    ]);
  });

  it('distinguishes hosts of one registrable domain, and ports of one host', async () => {
    const lines = ['a.example', 'v.a.example', 'a.example:8443'];
    const { result } = await importSource(sourceOf(lines), {
      ...collector(),
      maxReportedRefusals: 10,
      context: contextOf(),
    });
    expect(result).toMatchObject({ accepted: 3, merged: 0 });
  });

  it('lists refusals up to the limit and counts the rest', async () => {
    const options = { ...collector(), maxReportedRefusals: 2, context: contextOf() };
    const { result } = await importSource(sourceOf(['x', 'y', 'z', '127.1']), options);
    expect(result.refusals.map(({ line }) => line)).toEqual([1, 2]);
    expect(result).toMatchObject({ refused: 4, refusalsOmitted: 2 });
    expect(result.refusedByReason).toEqual({ 'single-label': 3, 'ip-literal': 1 });
  });

  it('enters a long list in chunks, and yields to the event loop between them', async () => {
    const { enter, chunks, domains } = collector();
    let turns = 0;
    const interval = setInterval(() => turns++, 0);
    await importSource(sourceOf(numbered(20_000)), { enter, maxReportedRefusals: 0, context: contextOf() });
    clearInterval(interval);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(new Set(domains()).size).toBe(20_000);
    expect(turns).toBeGreaterThan(3);
  });

  it('waits for each chunk to be entered', async () => {
    let isEntering = false;
    const enter = async () => {
      expect(isEntering).toBe(false);
      isEntering = true;
      await new Promise((resolve) => setTimeout(resolve, 1));
      isEntering = false;
    };
    await importSource(sourceOf(numbered(2_000)), { enter, maxReportedRefusals: 0, context: contextOf() });
    expect(isEntering).toBe(false);
  });

  it('fails with the error when nothing could be read', async () => {
    const broken = new SourceError('The list x', 'answers 404', 'correct its "url"');
    const { enter, domains } = collector();
    const { result, error } = await importSource(sourceOf([], broken), {
      enter,
      maxReportedRefusals: 0,
      context: contextOf(),
    });
    expect([result.outcome, result.why, error]).toEqual(['failed', broken.message, broken]);
    expect(domains()).toEqual([]);
  });

  it('keeps the items that were read before the run was stopped', async () => {
    const abort = new AbortController();
    const { enter, domains } = collector();
    function* stopping() {
      yield 'a.example';
      yield 'b.example';
      abort.abort();
      yield 'c.example';
    }
    const options = { enter, maxReportedRefusals: 0, context: contextOf(abort.signal) };
    const { result, error } = await importSource(sourceOf(stopping()), options);
    expect([result.outcome, result.why, error]).toEqual(['partial', 'the run was stopped', null]);
    expect(domains()).toEqual(['a.example', 'b.example']);
  });

  it('rethrows bugs of a source and errors of the store', async () => {
    const bug = new TypeError('x is not a function');
    const options = { ...collector(), maxReportedRefusals: 0, context: contextOf() };
    await expect(importSource(sourceOf(['a.example'], bug), options)).rejects.toBe(bug);
    const enter = () => {
      throw new Error('the disk is full');
    };
    await expect(importSource(sourceOf(['a.example']), { ...options, enter })).rejects.toThrow('the disk is full');
  });

  it('enters the first items of a slow list while it waits for the rest', async () => {
    const { enter, chunks } = collector();
    // Items are entered once a second has passed since the last ones were entered.
    let time = 0;
    function* dripping() {
      for (const name of ['a', 'b', 'c', 'd']) {
        time += 600;
        yield `${name}.example`;
      }
    }
    const context = { ...contextOf(), now: () => time };
    await importSource(sourceOf(dripping()), { enter, maxReportedRefusals: 10, context });
    expect(chunks.map((chunk) => chunk.length)).toEqual([2, 2]);
  });

  it('yields to the event loop between lines without domains', async () => {
    const { enter, chunks } = collector();
    let turns = 0;
    const interval = setInterval(() => {
      turns += 1;
    }, 0);
    await importSource(sourceOf(Array(20_000).fill('# nothing')), {
      enter,
      maxReportedRefusals: 10,
      context: contextOf(),
    });
    clearInterval(interval);
    expect(chunks).toEqual([]);
    expect(turns).toBeGreaterThan(1);
  });
});
