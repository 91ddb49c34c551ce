import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CHECK_LIMITS } from '../../src/check/gather/budget.ts';
import { Report } from '../../src/check/report.ts';
import { RULES } from '../../src/check/rules.ts';
import { checkHost, gatherFrom, IPV4, IPV6, type OperatorHost, ruleOf, startOperatorHost } from './operator-host.ts';

describe('a check of a well-run host', () => {
  it('reports the result of the visit, the directory entry and the number of requests', async () => {
    const host = await startOperatorHost();
    const report = await checkHost(host);
    expect(Report.parse(report)).toEqual(report);
    expect(report).toMatchObject({
      schemaVersion: 1,
      domain: 'loops.example',
      verdict: 'loops',
      reason: 'config-software',
      via: 'config',
      software: 'loops',
      cutShort: null,
      instance: { domain: 'loops.example', url: 'https://loops.example', software: 'loops', usage: { users: 4 } },
    });
    expect(report.instance).not.toHaveProperty('notes');
    expect(report.instance).not.toHaveProperty('gifProviderBrand');
    expect(report.steps.map(({ probe }) => probe)).toEqual(['dns', 'robots', 'config', 'discovery', 'nodeinfo']);
    expect(report.requests).toBe(host.requests.length);
    expect(report.requests).toBeLessThanOrEqual(CHECK_LIMITS.requests);
  });

  it('sends each named request once, in addition to those of the identification', async () => {
    const host = await startOperatorHost();
    const { answers, incompleteReason } = await gatherFrom(host);
    expect(Object.entries(answers).filter(([, answer]) => answer?.status == null)).toEqual([]);
    expect(incompleteReason).toBeNull();
    // The identification requests robots.txt, config, discovery and NodeInfo.
    expect(host.requests).toHaveLength(Object.keys(answers).length + 4);
  });

  it('requests the configuration over IPv4 and IPv6 separately', async () => {
    const host = await startOperatorHost();
    const families: number[] = [];
    host.behaviour.answer = ({ url }, _response, family) => {
      if (url === '/api/v1/config') families.push(family);
      return false;
    };
    const { answers } = await gatherFrom(host, { only: ['dns'] });
    expect(answers['config-ipv4']?.status).toBe(200);
    expect(answers['config-ipv6']?.status).toBe(200);
    expect(new Set(families)).toEqual(new Set([4, 6]));
  });

  it('reports a failing address family separately from a working one', async () => {
    const host = await startOperatorHost({ overIpv6: 'refused' });
    const { answers, tls } = await gatherFrom(host, { only: ['dns'] });
    expect(answers.config?.status).toBe(200);
    expect(answers['config-ipv4']?.status).toBe(200);
    expect(answers['config-ipv6']).toMatchObject({ status: null, failure: 'connect-refused' });
    expect(tls?.handshakes.map(({ address, failure }) => [address, failure])).toEqual([
      [IPV4, null],
      [IPV6, 'connect-refused'],
    ]);
  });

  it('sends at most four requests at a time', async () => {
    const host = await startOperatorHost();
    let [running, peak] = [0, 0];
    host.behaviour.answer = (_request, response) => {
      peak = Math.max(peak, ++running);
      response.once('close', () => {
        running -= 1;
      });
      return false;
    };
    host.server.state.delayMs = 20;
    await checkHost(host);
    expect(peak).toBeGreaterThan(1);
    expect(peak).toBeLessThanOrEqual(4);
  });
});

describe('a check stops or skips requests', () => {
  it('after a 429 response', async () => {
    const host = await startOperatorHost({
      server: { faults: [{ route: '/api/v1/video/0', fault: 'rate-limited', retryAfter: 60 }] },
    });
    const { answers, incompleteReason } = await gatherFrom(host);
    expect(answers['unknown-video']?.status).toBe(429);
    expect(answers.actor).toBeNull();
    expect(incompleteReason).toBe('the server asked for fewer requests (429)');
  });

  it('after a 429 response during identification', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '/api/v1/config', fault: 'rate-limited' }] } });
    const { visit, answers } = await gatherFrom(host);
    expect(visit.reason).toBe('rate-limited');
    expect(Object.values(answers).filter((answer) => answer !== null)).toEqual([]);
  });

  it('for paths that robots.txt forbids to Loopscout by name, except robots.txt itself', async () => {
    const host = await startOperatorHost({ server: { robots: 'User-agent: Loopscout\nDisallow: /\n' } });
    const { visit, answers } = await gatherFrom(host);
    expect(visit.reason).toBe('robots-forbidden');
    expect(new Set(host.requests)).toEqual(new Set(['GET /robots.txt']));
    expect(answers.robots?.status).toBe(200);
  });

  it('for Loops endpoints when the server runs other software', async () => {
    const host = await startOperatorHost({ server: { config: { app: { software: 'mastodon' } } } });
    const { visit, answers } = await gatherFrom(host);
    expect(visit.verdict).toBe('other');
    expect(host.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect(answers.home?.status).toBe(200);
    expect(answers.nodeinfo?.status).toBe(200);
    expect(answers.apps).toBeNull();
  });

  it('and has the cures of Loops while NodeInfo names Loops, although config names other software', async () => {
    const server = { config: { app: { software: 'clips' } }, nodeInfo: { software: { name: 'loops' } } };
    const { findings } = await checkHost(await startOperatorHost({ server }), { rules: RULES, only: ['agreement'] });
    expect(findings.find(({ id }) => id === 'agreement-software')?.cure).toMatch(/route both to Loops/);
  });

  it('after a few unanswered requests in a row', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'stall' }] } });
    const report = await checkHost(host, { timeouts: { responseMs: 100 } });
    expect(report.cutShort).toBe('6 requests in a row had no answer');
    expect(report.requests).toBeLessThan(20);
  });

  it.each([502, 503])('after the first answers, if all have status %i', async (status) => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'server-error', status }] } });
    const report = await checkHost(host, { rules: RULES });
    expect(report.cutShort).toBe('the first answers were all status 502 or 503');
    expect(report.requests).toBeLessThanOrEqual(12);
  });

  it('after the first answers, if each is a redirect to itself', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'redirect', to: 'loop' }] } });
    const report = await checkHost(host, { rules: RULES });
    expect(report.cutShort).toBe('the first answers were all a redirect to itself');
    // The identification follows up to five redirects of robots.txt, and up to three of each other document.
    expect(report.requests).toBeLessThanOrEqual(24);
  });

  it('but not when they fail over one address family only, which is then reported first', async () => {
    const host = await startOperatorHost();
    host.behaviour.answer = (_request, response, family) => {
      if (family === 4) response.writeHead(502).end();
      return family === 4;
    };
    const report = await checkHost(host, { rules: RULES });
    expect(report.cutShort).toBeNull();
    const [first, second] = report.findings;
    expect(first?.id).toBe('dns-families-alike');
    expect(second).toMatchObject({ id: 'config-answered', detail: /^Requests work over IPv6 only\. / });
  });

  it('but not when only a part of the server is down', async () => {
    const host = await startOperatorHost({
      server: { faults: [{ route: '/api/*', fault: 'server-error', status: 503 }] },
    });
    expect((await gatherFrom(host)).incompleteReason).toBeNull();
  });
});

describe('a check with limits', () => {
  it('stops at the request limit and reports it', async () => {
    const host = await startOperatorHost();
    const { incompleteReason } = await gatherFrom(host, { limits: { ...CHECK_LIMITS, requests: 10 } });
    expect(host.requests).toHaveLength(10);
    expect(incompleteReason).toBe('10 requests had been sent');
  });

  it('starts no request after the send limit', async () => {
    const host = await startOperatorHost();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    host.behaviour.answer = ({ url }) => {
      if (url === '/') vi.advanceTimersByTime(CHECK_LIMITS.sendMs);
      return false;
    };
    const { incompleteReason, answers } = await gatherFrom(host);
    expect(incompleteReason).toBe('50 seconds had passed');
    expect(answers.actor).toBeNull();
    expect(answers.home?.status).toBe(200);
  });

  it('cancels running requests at the total limit, even during identification', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'stall' }] } });
    const report = await checkHost(host, {
      timeouts: { responseMs: 600_000, visitMs: 600_000 },
      limits: { requests: 40, sendMs: 100, totalMs: 150 },
    });
    expect(report).toMatchObject({ verdict: 'unreachable', cutShort: '0.1 seconds had passed' });
  });

  it('ends immediately when the caller aborts', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'stall' }] } });
    const caller = new AbortController();
    const timeouts = { responseMs: 600_000, visitMs: 600_000 };
    const checking = checkHost(host, { signal: caller.signal, timeouts });
    await expect.poll(() => host.requests).toHaveLength(1);
    caller.abort(new Error('enough'));
    await expect(checking).rejects.toThrow('enough');
    await expect(checkHost(host, { signal: caller.signal })).rejects.toThrow('enough');
  });
});

describe('the findings', () => {
  const pass = ruleOf('http-one', () => ({ severity: 'pass', detail: 'It is.' }));
  const warn = ruleOf('dns-one', () => ({ severity: 'warn', detail: 'It is not.', cure: 'Do it.' }));
  const fail = ruleOf('api-one', () => ({ severity: 'fail', detail: 'It is not.', cure: 'Do it.' }));
  const silent = ruleOf('tls-one', () => null);
  const rules = [pass, silent, fail, warn];

  it('are sorted by severity and counted', async () => {
    const host = await startOperatorHost();
    const { findings, counts } = await checkHost(host, { rules });
    expect(findings.map(({ id }) => id)).toEqual(['api-one', 'dns-one', 'http-one']);
    expect(findings[2]).toEqual({
      id: 'http-one',
      area: 'http',
      severity: 'pass',
      title: 'http-one holds',
      detail: 'It is.',
      cure: null,
    });
    expect(counts).toEqual({ pass: 1, info: 0, warn: 1, fail: 1 });
  });

  it('are limited to the selected rules and areas', async () => {
    const host = await startOperatorHost();
    const ids = async (options: object) =>
      (await checkHost(host, { rules, ...options })).findings.map(({ id }) => id).toSorted();
    expect(await ids({ only: ['api', 'http-one'] })).toEqual(['api-one', 'http-one']);
    expect(await ids({ skip: ['api'] })).toEqual(['dns-one', 'http-one']);
    await expect(checkHost(host, { rules, only: ['api-tow'] })).rejects.toThrow(/unknown rule or area "api-tow"/);
  });

  it('report a rule that throws, without losing the others', async () => {
    const host = await startOperatorHost();
    const broken = ruleOf('config-broken', () => {
      throw new TypeError('x is\u0000 not a function');
    });
    const { findings } = await checkHost(host, { rules: [broken, ...rules], only: ['config', 'dns'] });
    expect(findings).toHaveLength(2);
    const ofBrokenRule = findings.find(({ id }) => id === 'config-broken');
    expect(ofBrokenRule).toMatchObject({ severity: 'info', cure: null });
    expect(ofBrokenRule?.detail).toMatch(/a bug of Loopscout.*Please report it.*TypeError: x is not a function/);
  });
});

interface HostWithDatabase {
  host: OperatorHost;
  /** Reads the rows of every table of the server. */
  readRows: () => Record<string, unknown[]>;
  /** Received POST requests with their bodies: `POST /oauth/token {}`. */
  posts: string[];
}

async function startHostWithDatabase(): Promise<HostWithDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'loopscout-check-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = join(folder, 'server.sqlite');
  const host = await startOperatorHost({ server: { database } });
  // The first request for the actor creates its keys.
  await host.server.app.inject('/ap/actor');
  const posts: string[] = [];
  host.behaviour.answer = (request) => {
    if (request.method !== 'POST') return false;
    const chunks: Buffer[] = [];
    // The body is read where it arrives: a `data` listener would consume it before the server reads it.
    const { push } = request;
    request.push = (chunk: Buffer | null) => {
      if (chunk === null) posts.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
      else chunks.push(chunk);
      return push.call(request, chunk);
    };
    return false;
  };
  const readRows = () => {
    const db = new Database(database, { readonly: true });
    try {
      const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      return Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM "${table}"`).all()]));
    } finally {
      db.close();
    }
  };
  return { host, readRows, posts };
}

describe('a check', () => {
  it('changes no data of the server', async () => {
    const { host, readRows, posts } = await startHostWithDatabase();
    const before = readRows();
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['apps', 'tokens', 'sessions', 'codes', 'accounts']));
    await gatherFrom(host);
    expect(readRows()).toEqual(before);
    expect(posts.toSorted()).toEqual([
      'POST /ap/inbox {}',
      'POST /api/v1/apps {}',
      'POST /oauth/revoke {}',
      'POST /oauth/token {}',
    ]);
    const otherRequests = host.requests.filter((request) => !/^(?:GET|POST) /.test(request));
    expect(otherRequests).toEqual(['OPTIONS /api/v1/config']);
  });
});
