import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { faultNames } from '../../../src/reference/faults/fault-rule.ts';
import { createReferenceServer, type FaultRule, type ReferenceServerOptions } from '../../../src/reference/index.ts';
import { authorizationUrl } from '../../browser/authorization-url.ts';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-client.ts';

const configPath = '/api/v1/config';

/** A fault rule without its route. The conditional type applies `Omit` to each kind of rule separately. */
type FaultWithoutRoute = FaultRule extends infer Rule ? (Rule extends FaultRule ? Omit<Rule, 'route'> : never) : never;

/** The raw response to a config request with this fault, and the body without the fault. */
async function requestWith(
  fault: FaultWithoutRoute,
  request: RawRequest = {},
  options: ReferenceServerOptions = {},
): Promise<RawAnswer & { correctBody: Buffer }> {
  // Monday, 5 January 2026, 10:00. The dates of Retry-After are an hour before or after it.
  await using server = await createReferenceServer({ ...options, now: () => Date.UTC(2026, 0, 5, 10) });
  const correct = await sendRaw(server);
  server.state.faults = [{ route: configPath, ...fault } as FaultRule];
  const patience = fault.fault === 'stall' ? { patienceMs: 200 } : {};
  return { ...(await sendRaw(server, { ...patience, ...request })), correctBody: correct.body };
}

const lengthOf = (answer: RawAnswer) => Number(answer.headers.get('content-length'));

/** Asserts that the response ends like this before its headers, in them, and in the middle of its body. */
async function expectCutOff(fault: 'reset' | 'stall', end: RawAnswer['end']): Promise<void> {
  const beforeHeaders = await requestWith({ fault });
  expect([beforeHeaders.bytes.length, beforeHeaders.end]).toEqual([0, end]);
  const inHeaders = await requestWith({ fault, at: 'in-headers' });
  expect([inHeaders.status, inHeaders.bytes.includes('\r\n\r\n'), inHeaders.end]).toEqual([200, false, end]);
  const inBody = await requestWith({ fault, at: 'in-body' });
  expect([lengthOf(inBody), inBody.end]).toEqual([inBody.correctBody.length, end]);
  expect(inBody.body).toEqual(inBody.correctBody.subarray(0, inBody.correctBody.length >> 1));
}

/** For each fault, a check of the bytes that a client receives. */
const checks: Record<FaultRule['fault'], () => Promise<void>> = {
  status: async () => {
    const answer = await requestWith({ fault: 'status', status: 418, body: 'short', headers: { 'x-teapot': 'yes' } });
    expect([answer.status, String(answer.body), answer.headers.get('x-teapot')]).toEqual([418, 'short', 'yes']);
  },
  'server-error': async () => {
    const answer = await requestWith({ fault: 'server-error', status: 503, retryAfter: 30 });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(JSON.parse(String(answer.body))).toEqual({ message: 'Server Error', retry_after: 30 });
    expect((await requestWith({ fault: 'server-error' })).headers.has('retry-after')).toBe(false);
  },
  'rate-limited': async () => {
    const answer = await requestWith({ fault: 'rate-limited' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect(JSON.parse(String(answer.body))).toEqual({ message: 'Too many requests', retry_after: 60 });
  },
  redirect: async () => {
    const answer = await requestWith({ fault: 'redirect', to: 'https://other.example/there', status: 308 });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://other.example/there']);
  },
  'redirect-query': async () => {
    const rule = { fault: 'redirect-query', set: { state: 'a b', error: 'access_denied' }, remove: ['code'] } as const;
    await using server = await createReferenceServer({ autoApprove: 'ada', faults: [{ route: '/oauth/*', ...rule }] });
    const url = await authorizationUrl(server.url, {
      client_name: 'Mine',
      redirect_uris: 'https://app.example/?kept=1',
    });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const { origin, searchParams } = new URL(headers.get('location') ?? '');
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      'https://app.example',
      { kept: '1', iss: server.url, state: 'a b', error: 'access_denied' },
    ]);
    // A response that is not a redirect is unchanged.
    const answer = await requestWith(rule);
    expect([answer.status, answer.body]).toEqual([200, answer.correctBody]);
  },
  'content-type': async () => {
    const answer = await requestWith({ fault: 'content-type', value: 'image/png' });
    expect([answer.headers.get('content-type'), answer.body]).toEqual(['image/png', answer.correctBody]);
  },
  'json-members': async () => {
    const set = { 'app.software': [], added: { any: 1 }, 'app.name.first': 1, 'none.here': 1 };
    const { body, correctBody } = await requestWith({
      fault: 'json-members',
      set,
      remove: ['media', 'account.none', 'x.y'],
    });
    const { media: _, ...correct } = JSON.parse(String(correctBody));
    expect(JSON.parse(String(body))).toEqual({ ...correct, app: { ...correct.app, software: [] }, added: { any: 1 } });
  },
  'invalid-utf8': async () => {
    const { body } = await requestWith({ fault: 'invalid-utf8' });
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow();
    expect(JSON.parse(new TextDecoder().decode(body)).app.software).toBe('loops');
  },
  'invalid-json': async () => {
    const { body } = await requestWith({ fault: 'invalid-json' });
    expect(() => JSON.parse(String(body))).toThrow(SyntaxError);
  },
  'deep-json': async () => {
    const { body, correctBody } = await requestWith({ fault: 'deep-json', depth: 5_000 });
    const { deep, ...rest } = JSON.parse(String(body));
    expect(rest).toEqual(JSON.parse(String(correctBody)));
    let depth = 0;
    for (let list = deep; list !== undefined; list = list[0]) depth += 1;
    expect(depth).toBe(5_000);
  },
  'duplicate-keys': async () => {
    const lastIsRight = await requestWith({ fault: 'duplicate-keys' });
    expect(String(lastIsRight.body)).toContain('"software":null,"software":"loops"');
    expect(JSON.parse(String(lastIsRight.body))).toEqual(JSON.parse(String(lastIsRight.correctBody)));
    const firstIsRight = await requestWith({ fault: 'duplicate-keys', right: 'first' });
    expect(String(firstIsRight.body)).toContain('"software":"loops","software":null');
  },
  'large-body': async () => {
    const { body, correctBody } = await requestWith({ fault: 'large-body', bytes: 300_000 });
    expect(body).toEqual(Buffer.concat([Buffer.alloc(300_000, ' '), correctBody]));
    const small = await requestWith({ fault: 'large-body', bytes: 10 });
    expect(small.body).toEqual(Buffer.concat([Buffer.alloc(10, ' '), small.correctBody]));
  },
  'large-headers': async () => {
    const answer = await requestWith({ fault: 'large-headers', bytes: 20_000 });
    expect(answer.headers.get('x-padding')).toHaveLength(20_000);
    expect(answer.body).toEqual(answer.correctBody);
  },
  gzip: async () => {
    const answer = await requestWith({ fault: 'gzip' }, { headers: { 'accept-encoding': 'identity' } });
    expect([answer.headers.get('content-encoding'), lengthOf(answer)]).toEqual(['gzip', answer.body.length]);
    expect(gunzipSync(answer.body)).toEqual(answer.correctBody);
  },
  'gzip-bomb': async () => {
    const unpackedBytes = 3_500_000;
    const answer = await requestWith({ fault: 'gzip-bomb', unpackedBytes });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.body.length).toBeLessThan(10_000);
    // `toEqual` would compare the millions of bytes one by one.
    expect(gunzipSync(answer.body).equals(Buffer.alloc(unpackedBytes, ' '))).toBe(true);
  },
  'no-content-length': async () => {
    const answer = await requestWith({ fault: 'no-content-length' });
    expect([answer.headers.has('content-length'), answer.headers.has('transfer-encoding')]).toEqual([false, false]);
    expect([answer.body, answer.end]).toEqual([answer.correctBody, 'fin']);
  },
  'unfinished-chunks': async () => {
    const answer = await requestWith({ fault: 'unfinished-chunks' });
    expect([answer.headers.get('transfer-encoding'), answer.headers.has('content-length')]).toEqual(['chunked', false]);
    expect([String(answer.body), answer.end]).toEqual([
      `${answer.correctBody.length.toString(16)}\r\n${answer.correctBody}\r\n`,
      'fin',
    ]);
  },
  truncated: async () => {
    const answer = await requestWith({ fault: 'truncated' });
    expect([lengthOf(answer), answer.end]).toEqual([answer.correctBody.length, 'fin']);
    expect(answer.body).toEqual(answer.correctBody.subarray(0, answer.correctBody.length >> 1));
  },
  'over-long': async () => {
    const answer = await requestWith({ fault: 'over-long', bytes: 77 });
    expect([lengthOf(answer), answer.end]).toEqual([answer.correctBody.length, 'fin']);
    expect(String(answer.body)).toBe(`${answer.correctBody}${'x'.repeat(77)}`);
  },
  'wrong-length': async () => {
    const answer = await requestWith({ fault: 'wrong-length', value: '-1' });
    expect([answer.headers.get('content-length'), answer.body, answer.end]).toEqual(['-1', answer.correctBody, 'fin']);
  },
  'not-http': async () => {
    const answer = await requestWith({ fault: 'not-http' });
    expect([String(answer.bytes), answer.end]).toEqual(['SSH-2.0-OpenSSH_9.9\r\n', 'fin']);
  },
  close: async () => {
    const answer = await requestWith({ fault: 'close' });
    expect([answer.bytes.length, answer.end]).toEqual([0, 'fin']);
  },
  reset: () => expectCutOff('reset', 'reset'),
  delay: async () => {
    const answer = await requestWith({ fault: 'delay', ms: 200 });
    // A timer may fire up to 1 ms early.
    expect(answer.firstMs).toBeGreaterThanOrEqual(199);
    expect([answer.status, answer.body]).toEqual([200, answer.correctBody]);
  },
  drip: async () => {
    const answer = await requestWith({ fault: 'drip', bytesPerWrite: 100, everyMs: 40 });
    const writes = Math.ceil(answer.correctBody.length / 100);
    expect([lengthOf(answer), answer.body, answer.end]).toEqual([answer.correctBody.length, answer.correctBody, 'fin']);
    expect(answer.reads).toBeGreaterThanOrEqual(writes);
    // A wait of 40 ms before each write. Each timer may fire up to 1 ms early.
    expect(answer.lastMs).toBeGreaterThanOrEqual(39 * writes);
  },
  stall: () => expectCutOff('stall', 'open'),
};

describe('the fault', () => {
  it.for(faultNames)('%s sends the documented bytes', (name) => checks[name]());

  it.for(['truncated', 'close', 'stall'] as const)('%s has the same effect over TLS', async (name) => {
    const plain = await requestWith({ fault: name });
    const secure = await requestWith({ fault: name }, {}, { tls: true });
    expect([secure.status, secure.end]).toEqual([plain.status, plain.end]);
    // The bodies contain the URLs of the servers, and may have different lengths.
    expect(secure.body.length > 0).toBe(plain.body.length > 0);
  });

  it.for(['before-headers', 'in-headers', 'in-body'] as const)('reset %s is a TCP reset over TLS too', async (at) => {
    const answer = await requestWith({ fault: 'reset', at }, {}, { tls: true });
    expect([answer.end, answer.status]).toEqual(['reset', at === 'before-headers' ? 0 : 200]);
  });
});

describe('the faulty response to HEAD', () => {
  const head = (fault: FaultWithoutRoute) => requestWith(fault, { method: 'HEAD' });

  it.for([
    { fault: 'truncated' },
    { fault: 'drip' },
    { fault: 'reset', at: 'in-body' },
    { fault: 'stall', at: 'in-body' },
  ] as const)('has the real length and no body: $fault', async (fault) => {
    const answer = await head(fault);
    expect([lengthOf(answer), answer.body.length]).toEqual([answer.correctBody.length, 0]);
  });

  it('has only the excess bytes (over-long), no chunk (unfinished-chunks), and the wrong length (wrong-length)', async () => {
    const overLong = await head({ fault: 'over-long', bytes: 7 });
    expect([lengthOf(overLong), String(overLong.body)]).toEqual([overLong.correctBody.length, 'xxxxxxx']);
    const chunked = await head({ fault: 'unfinished-chunks' });
    expect([chunked.headers.get('transfer-encoding'), chunked.body.length]).toEqual(['chunked', 0]);
    const wrong = await head({ fault: 'wrong-length', value: '20' });
    expect([wrong.headers.get('content-length'), wrong.body.length]).toEqual(['20', 0]);
  });

  it('has the headers of the faulty response to GET', async () => {
    await using server = await createReferenceServer();
    for (const fault of [{ fault: 'gzip' }, { fault: 'large-body' }, { fault: 'deep-json' }] as const) {
      server.state.faults = [{ route: configPath, ...fault }];
      const [getAnswer, headAnswer] = [await sendRaw(server), await sendRaw(server, { method: 'HEAD' })];
      expect([lengthOf(getAnswer), lengthOf(headAnswer), headAnswer.body.length]).toEqual([
        getAnswer.body.length,
        getAnswer.body.length,
        0,
      ]);
      expect([...headAnswer.headers.keys()]).toEqual([...getAnswer.headers.keys()]);
      expect(headAnswer.headers.get('content-encoding')).toBe(getAnswer.headers.get('content-encoding'));
    }
  });
});

describe('a fault that corrupts the response', () => {
  it('works on every kind of route: a page with a cookie, errors, the web app and text', async () => {
    await using server = await createReferenceServer({ profile: 'live' });
    const newApp = { name: 'App', website: '', redirectUris: ['a:b'], scopes: ['read'] };
    const { app } = server.state.data.apps.register(newApp, 0);
    const query = `response_type=code&client_id=${app.clientId}&redirect_uri=a:b`;
    for (const path of [`/oauth/authorize?${query}`, '/oauth/authorize', '/oauth/unknown', '/@ada', '/robots.txt']) {
      server.state.faults = [];
      const correct = await sendRaw(server, { path });
      server.state.faults = [{ route: '*', fault: 'truncated' }];
      const truncated = await sendRaw(server, { path });
      expect([path, truncated.status, lengthOf(truncated)]).toEqual([path, correct.status, lengthOf(correct)]);
      expect([...truncated.headers.keys()].sort()).toEqual([...correct.headers.keys()].sort());
      expect(truncated.body).toHaveLength(correct.body.length >> 1);
      server.state.faults = [{ route: '*', fault: 'large-body', bytes: 5 }];
      const padded = await sendRaw(server, { path });
      expect([path, padded.status, padded.body.length]).toEqual([path, correct.status, correct.body.length + 5]);
      expect(padded.headers.get('content-type')).toBe(correct.headers.get('content-type'));
    }
  });
});

describe('the Retry-After of a fault', () => {
  it.for([
    [0, '0'],
    [120, '120'],
    ['date', 'Mon, 05 Jan 2026 11:00:00 GMT'],
    ['rfc850-date', 'Monday, 05-Jan-26 11:00:00 GMT'],
    ['asctime-date', 'Mon Jan  5 11:00:00 2026'],
    ['past-date', 'Mon, 05 Jan 2026 09:00:00 GMT'],
    ['negative', '-3600'],
    ['fractional', '0.5'],
    ['huge', '9'.repeat(30)],
    ['garbage', 'soon'],
    ['empty', ''],
    ['missing', undefined],
  ] as const)('%s is sent as %s', async ([retryAfter, value]) => {
    const answer = await requestWith({ fault: 'rate-limited', retryAfter });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, value]);
  });
});

describe('the fault redirect', () => {
  it('redirects to the requested URL: loop', async () => {
    const { status, headers } = await requestWith({ fault: 'redirect', to: 'loop' }, { path: `${configPath}?a=1` });
    expect([status, headers.get('location')]).toEqual([302, `${configPath}?a=1`]);
  });

  it('redirects through several hops to the real response: chain', async () => {
    await using server = await createReferenceServer({
      faults: [{ route: configPath, fault: 'redirect', to: 'chain', hops: 3 }],
    });
    const hops: string[] = [];
    let path = `${configPath}?a=1`;
    for (;;) {
      const answer = await sendRaw(server, { path });
      if (answer.status === 200) break;
      path = answer.headers.get('location') ?? '';
      hops.push(path);
    }
    expect(hops).toEqual([1, 2, 3].map((hop) => `${configPath}?a=1&hop=${hop}`));
  });

  it.for([
    ['loopback', `https://127.0.0.1${configPath}`],
    ['private', `https://10.0.0.1${configPath}`],
    ['http', /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/config$/],
    ['data', 'data:application/json,{"app":{"software":"loops"}}'],
  ] as const)('redirects to another URL: %s', async ([to, location]) => {
    const { headers } = await requestWith({ fault: 'redirect', to });
    expect(headers.get('location')).toEqual(typeof location === 'string' ? location : expect.stringMatching(location));
  });
});

describe('the fault invalid-json', () => {
  it.for(['cut', 'trailing-text', 'trailing-comma', 'single-quotes', 'comment', 'empty', 'html'] as const)(
    'sends a body that does not parse: %s',
    async (how) => {
      const { body, status } = await requestWith({ fault: 'invalid-json', how });
      expect(status).toBe(200);
      expect(() => JSON.parse(String(body))).toThrow(SyntaxError);
    },
  );
});

describe('the matching of a rule', () => {
  it('considers the path without its query, the method, and a `*` at the end of the route', async () => {
    await using server = await createReferenceServer();
    const statusOf = async (rule: Partial<FaultRule>, request: RawRequest = {}) => {
      server.state.faults = [{ route: configPath, fault: 'status', status: 418, ...rule } as FaultRule];
      return (await sendRaw(server, request)).status;
    };
    expect(await statusOf({})).toBe(418);
    expect(await statusOf({}, { path: `${configPath}?x=/y` })).toBe(418);
    expect(await statusOf({}, { path: '/api/v1/configs' })).toBe(404);
    expect(await statusOf({ method: 'POST' })).toBe(200);
    expect(await statusOf({ method: 'HEAD' }, { method: 'HEAD' })).toBe(418);
    expect(await statusOf({ route: '/api/*' })).toBe(418);
    expect(await statusOf({ route: '/api/*' }, { path: '/nodeinfo/2.0' })).toBe(200);
    expect(await statusOf({ route: '*' }, { path: '/no/such/page' })).toBe(418);
    expect(await statusOf({ route: '/oauth/token' }, { path: '/oauth/token', method: 'POST' })).toBe(418);
  });

  it('compares canonical paths, so that every spelling of a path matches', async () => {
    await using server = await createReferenceServer();
    const statusOf = async (route: string, path: string) => {
      server.state.faults = [{ route, fault: 'status', status: 418 }];
      return (await sendRaw(server, { path })).status;
    };
    for (const path of [
      '/api/v1/conf%69g',
      '/%61%70i/v1/config?a',
      'http://a.example/api/v1/config',
      '/api/v1/config#a',
    ]) {
      expect([path, await statusOf(configPath, path)]).toEqual([path, 418]);
      expect([path, await statusOf('/api/*', path)]).toEqual([path, 418]);
    }
    expect(await statusOf('/%61pi/v1/config', configPath)).toBe(418);
    expect(await statusOf('/api/v1/video/*', '/api/v1/video/%zz')).toBe(418);
    expect(await statusOf(configPath, '/api/v1/video/%zz')).toBe(404);
  });

  it('applies the first matching rule, and the delays of the rules before it', async () => {
    await using server = await createReferenceServer({
      delayMs: 60,
      faults: [
        { route: configPath, fault: 'status', status: 500, method: 'POST' },
        { route: '*', fault: 'delay', ms: [60, 61] },
        { route: configPath, fault: 'status', status: 410 },
        { route: '*', fault: 'status', status: 503 },
        { route: '*', fault: 'delay', ms: 60_000 },
      ],
    });
    const answer = await sendRaw(server);
    expect(answer.status).toBe(410);
    // 60 ms of `delayMs` and 60 ms of the first delay rule. Each timer may fire up to 1 ms early.
    expect(answer.firstMs).toBeGreaterThanOrEqual(118);
  });

  it('applies a rule as often as `times` says, and starts to count again when the rule is set again', async () => {
    await using server = await createReferenceServer({
      faults: [
        { route: configPath, fault: 'server-error', times: 2 },
        { route: '/nodeinfo/2.0', fault: 'reset', times: 1 },
      ],
    });
    const statusesOfThree = async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await sendRaw(server)).status);
      return statuses;
    };
    expect(await statusesOfThree()).toEqual([500, 500, 200]);
    expect((await sendRaw(server, { path: '/nodeinfo/2.0' })).end).toBe('reset');
    expect((await sendRaw(server, { path: '/nodeinfo/2.0' })).status).toBe(200);
    const rules: FaultRule[] = [{ route: configPath, fault: 'server-error', times: 1 }];
    for (let count = 0; count < 2; count += 1) {
      server.state.faults = rules;
      expect(await statusesOfThree()).toEqual([500, 200, 200]);
    }
  });

  it('applies a rule with its probability, to the same requests for the same seed', async () => {
    const statusesOf = async (seed: number) => {
      await using server = await createReferenceServer({
        seed,
        faults: [{ route: '*', fault: 'server-error', probability: 0.3 }],
      });
      const statuses: number[] = [];
      for (let count = 0; count < 100; count += 1) {
        statuses.push((await server.app.inject(configPath)).statusCode);
      }
      return statuses;
    };
    const first = await statusesOf(7);
    // About 30 of 100.
    const failureCount = first.filter((status) => status === 500).length;
    expect(failureCount).toBeGreaterThan(15);
    expect(failureCount).toBeLessThan(45);
    expect(await statusesOf(7)).toEqual(first);
    expect(await statusesOf(8)).not.toEqual(first);
  });
});

describe('an invalid rule', () => {
  const misspeltRule = { route: '*', fault: 'sever-error' } as never;

  it('is refused when it is set, and the old rules remain', async () => {
    await using server = await createReferenceServer({ faults: [{ route: '*', fault: 'status', status: 418 }] });
    const { state } = server;
    for (const rule of [misspeltRule, { route: '*', fault: 'status' }, { fault: 'close' }, null]) {
      expect(() => {
        state.faults = [rule as never];
      }).toThrow(/^the state: faults\[0\]/);
    }
    expect((await sendRaw(server)).status).toBe(418);
  });

  it('that was pushed to the list of faults is reported in every response', async () => {
    await using server = await createReferenceServer();
    server.state.faults.push({ route: '/nodeinfo/2.0', fault: 'close' }, misspeltRule);
    for (const path of [configPath, '/nodeinfo/2.0', '/unknown']) {
      const { status, body } = await sendRaw(server, { path });
      expect([status, String(body)]).toEqual([
        500,
        expect.stringContaining(
          'the state: faults[1].fault is \\"sever-error\\"; Invalid discriminator value. Expected ',
        ),
      ]);
    }
    server.state.faults.pop();
    expect((await sendRaw(server)).status).toBe(200);
  });
});

describe('a server with faults', () => {
  it('closes at once despite delayed, stalled and dripping requests, and leaves no handle', async () => {
    const handlesBefore = process.getActiveResourcesInfo().length;
    const server = await createReferenceServer({
      faults: [
        { route: configPath, fault: 'delay', ms: 60_000 },
        { route: '/nodeinfo/2.0', fault: 'drip', everyMs: 30_000 },
        { route: '/.well-known/nodeinfo', fault: 'stall', at: 'in-headers' },
        { route: '/robots.txt', fault: 'stall' },
      ],
    });
    let arrived = 0;
    server.app.server.on('request', () => arrived++);
    const paths = [configPath, '/nodeinfo/2.0', '/.well-known/nodeinfo', '/robots.txt'];
    const answers = paths.map((path) => sendRaw(server, { path }));
    await expect.poll(() => arrived).toBe(4);
    await server.close();
    for (const answer of answers) expect((await answer).end).not.toBe('open');
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handlesBefore);
  });

  it('responds normally after a truncated response, on another connection', async () => {
    await using server = await createReferenceServer({ faults: [{ route: configPath, fault: 'truncated', times: 1 }] });
    await sendRaw(server);
    const answer = await sendRaw(server);
    expect([answer.status, lengthOf(answer)]).toEqual([200, answer.body.length]);
  });
});
