import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../src/reference/fleet/request-log.ts';

describe('createRequestLog', () => {
  it('stores the last thousand requests, oldest first, and counts every request', () => {
    const log = createRequestLog();
    const connection = {};
    for (let at = 0; at < 2345; at += 1) {
      log.add({ domain: 'a.example', method: 'GET', path: '/', userAgent: null, at }, connection);
    }
    expect(log.total).toBe(2345);
    expect(log.count('a.example', '/')).toBe(2345);
    expect(log.recent.map(({ at }) => at)).toEqual(Array.from({ length: 1000 }, (_, index) => 1345 + index));
  });

  it('finds domains that two connections requested at the same time or alternately', () => {
    const log = createRequestLog();
    const [first, second] = [{}, {}];
    // Logs a request and returns a function that ends it.
    const addRequest = (name: string, connection: object) =>
      log.add({ domain: `${name}.example`, method: 'GET', path: '/', userAgent: null, at: Date.now() }, connection);
    addRequest('unanswered', first);
    addRequest('unanswered', second);
    for (const connection of [first, second, first]) addRequest('alternating', connection)();
    for (const connection of [first, first, second, second]) addRequest('in-sequence', connection)();
    addRequest('one-connection', first);
    addRequest('one-connection', first);
    expect([...log.overlapping]).toEqual(['unanswered.example', 'alternating.example']);
    log.clear();
    expect(log.overlapping.size).toBe(0);
  });
});
