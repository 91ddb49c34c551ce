import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHtmlSelector } from '../../../src/sources/html/html-selector.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const linkQueries = [{ selector: 'a[href]', attribute: 'href', first: false }];
const limits = (withinMs = 10_000, signal = new AbortController().signal) => ({ signal, withinMs });
const page = (count: number) =>
  bytes(Array.from({ length: count }, (_, index) => `<a href="https://h${index}.example">é</a>`).join(''));
/** Takes over a second to query, because each of many elements has thousands of ancestors. */
const slowPage = () => bytes(`${'<div>'.repeat(5_000)}${'<b></b>'.repeat(60_000)}`);
const slowQuery = [{ selector: 'div div div div b i, div div div i b', attribute: null, first: false }];

describe('selecting from a page on a worker thread', () => {
  it('returns the matches of each selector in order, without blocking the event loop', async () => {
    const select = createHtmlSelector();
    const order: string[] = [];
    const queries = [...linkQueries, { selector: 'a', attribute: null, first: true }];
    const selecting = select(page(5_000), queries, limits()).then((selection) => {
      order.push('selection');
      return selection;
    });
    await delay(1).then(() => order.push('timer'));
    const selection = await selecting;
    if (!selection.ok) throw new Error('The page was not read.');
    const [links, texts] = selection.found;
    expect([links?.length, links?.at(-1), texts]).toEqual([5_000, 'https://h4999.example', ['é']]);
    expect(order).toEqual(['timer', 'selection']);
  });

  it('ends when it takes too long, and the next page is read', async () => {
    const select = createHtmlSelector({ maxMs: 100 });
    const tooLong = { ok: false, problem: 'takes too long to parse' };
    const slow = select(slowPage(), slowQuery, limits());
    expect(await slow).toEqual(tooLong);
    const selectWithDefaults = createHtmlSelector();
    const [first, next] = await Promise.all([
      selectWithDefaults(slowPage(), slowQuery, limits(100)),
      selectWithDefaults(page(1), linkQueries, limits()),
    ]);
    expect([first, next]).toMatchObject([tooLong, { ok: true }]);
  });

  it('waits for the previous page, but ends when its own time limit passes or it is aborted', async () => {
    const select = createHtmlSelector();
    const abort = new AbortController();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const first = select(slowPage(), slowQuery, limits(10_000, abort.signal)).catch(note('first'));
    const late = select(page(1), linkQueries, limits(20)).then((selection) => {
      expect(selection).toEqual({ ok: false, problem: 'takes too long to parse' });
      order.push('late');
    });
    const abortWaiting = new AbortController();
    const waiting = select(page(1), linkQueries, limits(10_000, abortWaiting.signal)).catch(note('waiting'));
    const last = select(page(1), linkQueries, limits()).then(note('last'));
    await late;
    abortWaiting.abort();
    await waiting;
    // Takes about as long as the last page would take if it did not wait for the slow one.
    await createHtmlSelector()(page(1), linkQueries, limits());
    await delay(20);
    abort.abort();
    await Promise.all([first, last]);
    expect(order).toEqual(['late', 'waiting', 'first', 'last']);
  });

  it('ends when it takes too much memory, and the next page is read', async () => {
    const select = createHtmlSelector({ heapMb: 32 });
    expect(await select(page(50_000), linkQueries, limits())).toEqual({
      ok: false,
      problem: 'takes over 32 MB to parse',
    });
    expect(await select(page(1), linkQueries, limits())).toMatchObject({ ok: true });
  });
});
