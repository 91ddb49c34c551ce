import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../src/reference/fleet/request-log.ts';

describe('createRequestLog', () => {
  it('stores the last thousand requests, oldest first, and counts all', () => {
    const log = createRequestLog();
    for (let at = 0; at < 2345; at += 1)
      log.add({ domain: 'a.example', method: 'GET', path: '/', userAgent: null, at }, log);
    expect(log.total).toBe(2345);
    expect(log.count('a.example', '/')).toBe(2345);
    expect(log.recent.map(({ at }) => at)).toEqual(Array.from({ length: 1000 }, (_, index) => 1345 + index));
  });

  it('finds domains that two connections requested at the same time or in turn', () => {
    const log = createRequestLog();
    const [one, two] = [{}, {}];
    const request = (name: string, connection: object) =>
      log.add({ domain: `${name}.example`, method: 'GET', path: '/', userAgent: null, at: Date.now() }, connection);
    request('unanswered', one);
    request('unanswered', two);
    for (const connection of [one, two, one]) request('in-turn', connection)();
    for (const connection of [one, one, two, two]) request('in-sequence', connection)();
    request('one-connection', one);
    request('one-connection', one);
    expect([...log.overlapping]).toEqual(['unanswered.example', 'in-turn.example']);
    log.clear();
    expect(log.overlapping.size).toBe(0);
  });
});
