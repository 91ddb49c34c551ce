import { describe, expect, it } from 'vitest';
import {
  apiDebug,
  apiRateLimit,
  apiRules,
  apiSelf,
  apiServerErrors,
  apiUnknownPage,
  apiUnknownRoute,
  apiUnknownVideo,
} from '../../../src/check/rules/api.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, exchangeOf, healthyAnswer, noAnswers } from '../evidence-of.ts';
import type { HostBehaviour } from '../operator-host.ts';

/** An `answer` of a host that replies the same to all requests for these paths. */
const fixedAnswer =
  (paths: RegExp, status: number, type: string, body: string, headers = {}): HostBehaviour['answer'] =>
  (request, response) => {
    if (!paths.test(request.url ?? '')) return false;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
const webApp = '<!doctype html><html><head><title>Loops</title></head><body><div id="app"></div></body></html>';
const debugResponse = JSON.stringify({
  message: 'SQLSTATE[HY000] [2002] Connection refused',
  exception: 'Illuminate\\Database\\QueryException',
  file: '/var/www/loops/vendor/laravel/framework/src/Illuminate/Database/Connection.php',
  line: 829,
  trace: [],
});
const unknownRoutes = /^\/api\/v1\/(?!config|apps|account|video)/;

describe('the rules of the API report each defect, and pass after its cure is applied', () => {
  itFindsAndCures(apiRules, [
    {
      title: 'reports the requests that end in server errors, and where to look',
      id: 'api-server-errors',
      severity: 'fail',
      detail: /GET \/api\/v1\/video\/0 \(500\)/,
      cure: /storage\/logs\/laravel\.log/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/api/v1/video/*', fault: 'server-error' }];
      },
    },
    {
      title: 'reports a 502 as PHP not running',
      id: 'api-server-errors',
      severity: 'fail',
      detail: /POST \/oauth\/token \(502\)/,
      cure: /fastcgi_pass/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/token', fault: 'server-error', status: 502 }];
      },
    },
    {
      title: 'is the only rule that reports a request that is never answered',
      id: 'api-whole-answers',
      severity: 'fail',
      detail: /POST \/oauth\/token: no answer \(the connection was closed before the answer was complete\)/,
      cure: /error\.log/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/token', fault: 'close' }];
      },
    },
    {
      title: 'reports debug mode',
      id: 'api-debug',
      severity: 'fail',
      detail: /APP_DEBUG.*GET \/api\/v1\/video\/0/,
      cure: /APP_DEBUG=false\n\n.*:\n\n {4}php artisan config:cache/,
      alsoReportedBy: ['api-server-errors'],
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/video/, 500, 'application/json', debugResponse) }),
    },
    {
      title: 'reports only once that the web app answers API requests',
      id: 'api-unknown-route',
      severity: 'warn',
      detail: /gives 200 OK as HTML: the web app/,
      cure: /try_files \$uri \$uri\/ \/index\.php\?\$query_string;/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/^\/api\/(?!v1\/config)/, 200, 'text/html', webApp) }),
    },
    {
      title: 'reports error pages of the web server',
      id: 'api-unknown-route',
      severity: 'warn',
      detail: /404 Not Found as HTML: an error page of a program other than Loops/,
      cure: /fastcgi_intercept_errors off;/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(unknownRoutes, 404, 'text/html', '<html><h1>404</h1></html>') }),
    },
    {
      title: 'reports a video that requires a login',
      id: 'api-unknown-video',
      severity: 'warn',
      detail: /gives 401 Unauthorized as application\/json: videos must be visible without a token/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer(/video/, 401, 'application/json', '{"message":"Unauthenticated."}'),
        }),
    },
    {
      title: 'reports a redirect to the sign-in page',
      id: 'api-self',
      severity: 'warn',
      detail: /gives 302 Found to \/login, and not 401 in JSON/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/account/, 302, 'text/html', '', { location: '/login' }) }),
    },
    {
      title: 'reports an account shown without authentication',
      id: 'api-self',
      severity: 'fail',
      detail: /data for everyone, instead of a refusal/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/account/, 200, 'application/json', '{"data":{"id":"1"}}') }),
    },
    {
      title: 'reports a rate limit that a single screen of an app exceeds',
      id: 'api-rate-limit',
      severity: 'warn',
      detail: /X-RateLimit-Limit is 25, and one screen of an app needs more/,
      cure: /set_real_ip_from/,
      host: { server: { rateLimit: { perMinute: 60, perHour: 700 } } },
      break: ({ server }) => {
        server.state.rateLimit = { perMinute: 25, perHour: 700 };
      },
      repair: ({ server }) => {
        server.state.rateLimit = { perMinute: 60, perHour: 700 };
      },
    },
    {
      title: 'reports an invalid Retry-After',
      id: 'api-rate-limit',
      severity: 'warn',
      detail: /Retry-After is "soon", neither a number of seconds nor a date/,
      break: ({ behaviour }) => Object.assign(behaviour, { headers: { 'retry-after': 'soon' } }),
    },
  ]);
});

describe('every rule of the API', () => {
  it('reports nothing on a host that received no request', () => {
    expect(apiRules.map((rule) => rule.judge(evidenceOf({ answers: noAnswers() })))).toEqual(apiRules.map(() => null));
  });
});

describe('api-server-errors', () => {
  it('ignores errors of config and NodeInfo, and a host that is down, because other rules report them', () => {
    const config = healthyAnswer('config', { status: 500 });
    expect(apiServerErrors.judge(evidenceOf({ answers: { config } }))).toMatchObject({ severity: 'pass' });
    const error = exchangeOf({ status: 503 });
    const down = { ...noAnswers(), home: error, config: error, robots: error, discovery: error };
    expect(apiServerErrors.judge(evidenceOf({ answers: down }))).toBeNull();
  });

  it('does not count a challenge page among the requests without a server error', () => {
    const countWith = (answers: object) => {
      const judged = apiServerErrors.judge(evidenceOf({ answers }));
      return Number(/^(\d+) harmless requests, and no server error/.exec(judged?.detail ?? '')?.[1]);
    };
    const headers = { 'cf-mitigated': 'challenge' };
    const home = exchangeOf({ status: 503, headers, body: '<title>Just a moment...</title>' });
    expect(countWith({ home })).toBe(countWith({}) - 1);
  });
});

describe('api-debug', () => {
  it('recognises debug pages of Laravel, but not a page that only mentions Laravel', () => {
    const judgePage = (body: string) =>
      apiDebug.judge(evidenceOf({ answers: { 'unknown-page': healthyAnswer('unknown-page', { body, status: 500 }) } }));
    expect(judgePage('<!doctype html><html><body class="laravel-exceptions-renderer">')).toMatchObject({
      severity: 'fail',
    });
    expect(
      judgePage('<!doctype html><pre>Illuminate\\Database\\QueryException in Connection.php:829</pre>'),
    ).toMatchObject({ severity: 'fail' });
    expect(judgePage('<!doctype html><p>Made with Laravel. An exception to every rule.</p>')).toMatchObject({
      severity: 'pass',
    });
  });
});

describe('api-unknown-route, api-unknown-video and api-self', () => {
  const judgeRoute = (changes: Parameters<typeof healthyAnswer>[1]) =>
    apiUnknownRoute.judge(
      evidenceOf({ answers: { 'unknown-api-route': healthyAnswer('unknown-api-route', changes) } }),
    );

  it('ignore a 429 and a server error, which other rules report, and servers of other software', () => {
    expect([judgeRoute({ status: 429 }), judgeRoute({ status: 500 })]).toEqual([null, null]);
    const other = evidenceOf({ visit: { ...evidenceOf().visit, verdict: 'other', software: 'mastodon' } });
    expect([apiUnknownRoute, apiUnknownVideo, apiSelf].map((rule) => rule.judge(other))).toEqual([null, null, null]);
  });

  it('warn of a redirect, and pass any JSON error', () => {
    expect(judgeRoute({ status: 302, headers: { location: '/login' } })).toMatchObject({ severity: 'warn' });
    expect(judgeRoute({ status: 403 })).toMatchObject({ severity: 'pass' });
  });

  it('fail when the endpoint for the signed-in account is missing', () => {
    const self = healthyAnswer('self-without-token', { status: 404 });
    expect(apiSelf.judge(evidenceOf({ answers: { 'self-without-token': self } }))).toMatchObject({ severity: 'fail' });
  });
});

describe('api-unknown-page', () => {
  it('passes the web app of Loops and 404, and notes anything else', () => {
    expect(apiUnknownPage.judge(evidenceOf())).toMatchObject({
      severity: 'pass',
      detail: expect.stringContaining('as usual for Loops'),
    });
    const judgePage = (changes: Parameters<typeof healthyAnswer>[1]) =>
      apiUnknownPage.judge(evidenceOf({ answers: { 'unknown-page': healthyAnswer('unknown-page', changes) } }));
    expect(judgePage({ status: 404 })).toMatchObject({ severity: 'pass' });
    expect(judgePage({ status: 302, headers: { location: '/' } })).toMatchObject({ severity: 'info' });
  });
});

describe('api-rate-limit', () => {
  const judgeHeaders = (headers: Record<string, string>, status = 200) =>
    apiRateLimit.judge(
      evidenceOf({ answers: { 'unknown-video': healthyAnswer('unknown-video', { headers, status }) } }),
    );

  it.each([
    [{ 'x-ratelimit-limit': 'many' }, 'warn'],
    [{ 'x-ratelimit-remaining': '-1' }, 'warn'],
    [{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '61' }, 'warn'],
    [{ 'retry-after': '1.5' }, 'warn'],
    [{ 'retry-after': '99999999' }, 'warn'],
    [{ 'retry-after': '30' }, 'pass'],
    [{ 'retry-after': 'Sat, 01 Aug 2026 12:01:00 GMT' }, 'pass'],
  ])('judges %j as %s', (headers, severity) => {
    expect(judgeHeaders(headers as Record<string, string>)).toMatchObject({ severity });
  });

  it('warns of a 429 without Retry-After or with one over a day, and notes any other', () => {
    expect(judgeHeaders({}, 429)).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('without Retry-After'),
    });
    expect(judgeHeaders({ 'retry-after': '60' }, 429)).toMatchObject({ severity: 'info' });
    const overADay = String(25 * 3_600);
    expect(judgeHeaders({ 'retry-after': overADay }, 429)).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('a wait of 25 hours'),
    });
  });

  it('warns when identification received a 429 without Retry-After', () => {
    const judgeRefusal = (retryAfterMs: number | null) => {
      const visit = { ...evidenceOf().visit, verdict: 'declined', reason: 'rate-limited', retryAfterMs } as const;
      return apiRateLimit.judge(evidenceOf({ visit, answers: noAnswers() }));
    };
    expect(judgeRefusal(null)).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('readable Retry-After'),
    });
    expect(judgeRefusal(60_000)).toBeNull();
  });
});
