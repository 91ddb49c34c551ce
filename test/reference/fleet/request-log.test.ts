import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../src/reference/fleet/request-log.ts';

describe('createRequestLog', () => {
  it('stores the last thousand requests, oldest first, and counts all', () => {
    const log = createRequestLog();
    for (let at = 0; at < 2345; at += 1)
      log.add({ domain: 'a.example', method: 'GET', path: '/', userAgent: null, at });
    expect(log.total).toBe(2345);
    expect(log.count('a.example', '/')).toBe(2345);
    expect(log.recent.map(({ at }) => at)).toEqual(Array.from({ length: 1000 }, (_, index) => 1345 + index));
  });
});
