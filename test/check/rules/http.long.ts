import { describe, expect, it } from 'vitest';
import {
  httpChallenge,
  httpCompression,
  httpHsts,
  httpRedirect,
  httpResponseTime,
  httpRules,
  httpWww,
} from '../../../src/check/rules/http.ts';
import { httpHome } from '../../../src/check/rules/http-home.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, exchangeOf, healthyAnswer, liveApp, liveConfig, noAnswers } from '../evidence-of.ts';
import { checkHost, type HostBehaviour, startOperatorHost } from '../operator-host.ts';

/** Answers requests for these paths, by default all, with a page. */
const page =
  (body: string, status = 200, paths: RegExp = /^\//): HostBehaviour['answer'] =>
  (request, response) => {
    if (!paths.test(request.url ?? '')) return false;
    response
      .writeHead(status, { 'content-type': 'text/html', 'strict-transport-security': 'max-age=63072000' })
      .end(body);
    return true;
  };
const challengePage = '<!doctype html><html><head><title>Just a moment...</title></head><body></body></html>';
const nginxPage =
  '<!doctype html><html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1></body></html>';
const maintenancePage =
  '<!doctype html><html><head><title>Down for maintenance</title></head><body><p>Back soon.</p></body></html>';

describe('the rules of HTTP report each defect, and pass after its cure is applied', () => {
  itFindsAndCures(httpRules, [
    {
      title: 'reports a site served without TLS',
      id: 'http-redirect',
      severity: 'warn',
      detail: /Port 80 gives 200 OK as application\/json: the site is served without TLS/,
      cure: /return 301 https:\/\/\$host\$request_uri;/,
      break: ({ behaviour }) => Object.assign(behaviour, { http: 'serves' }),
    },
    {
      title: 'notes a closed port 80',
      id: 'http-redirect',
      severity: 'info',
      detail: /Port 80 gives no answer \(nothing listens/,
      break: ({ behaviour }) => Object.assign(behaviour, { http: 'closed' }),
    },
    {
      title: 'reports a missing header',
      id: 'http-hsts',
      severity: 'info',
      detail: /is missing.* add_header Strict-Transport-Security/,
      break: ({ behaviour }) => Object.assign(behaviour, { hsts: null }),
    },
    {
      title: 'reports a max-age of 0',
      id: 'http-hsts',
      severity: 'warn',
      detail: /max-age=0/,
      break: ({ behaviour }) => Object.assign(behaviour, { hsts: 'max-age=0' }),
    },
    {
      title: 'reports the same site under www',
      id: 'http-www',
      severity: 'warn',
      detail: /www\.loops\.example serves the same site as loops\.example/,
      cure: /server_name www\.loops\.example;\n.*return 301 https:\/\/loops\.example\$request_uri;/,
      break: ({ behaviour }) => Object.assign(behaviour, { www: 'serves' }),
    },
    {
      title: 'reports www without a certificate',
      id: 'http-www',
      severity: 'warn',
      detail: /www\.loops\.example is in the DNS, but gives no answer \(the certificate is for another name\)/,
      cure: /certbot --nginx -d loops\.example -d www\.loops\.example/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { certificate: { ...behaviour.certificate, names: ['loops.example'] } }),
    },
    {
      title: 'notes a server without HTTP/2',
      id: 'http-http2',
      severity: 'info',
      detail: /only HTTP\/1\.1/,
      break: ({ behaviour }) => Object.assign(behaviour, { http2: false }),
    },
    {
      title: 'reports the default page of a web server',
      id: 'http-home',
      severity: 'fail',
      detail: /default page of nginx/,
      cure: /rm \/etc\/nginx\/sites-enabled\/default/,
      break: ({ behaviour }) => Object.assign(behaviour, { answer: page(nginxPage, 200, /^\/$/) }),
    },
    {
      title: 'reports a maintenance page',
      id: 'http-home',
      severity: 'warn',
      detail: /maintenance/,
      cure: /php artisan up/,
      break: ({ behaviour }) => Object.assign(behaviour, { answer: page(maintenancePage, 200, /^\/$/) }),
    },
    {
      title: 'reports the proxy that challenges API requests; its cure is the proxy rule that exempts the API',
      id: 'http-challenge',
      severity: 'fail',
      detail: /of Cloudflare was sent instead of the answer to every request \(\d+ of \d+\)/,
      cure: /starts_with\(http\.request\.uri\.path, "\/api\/"\)/,
      break: ({ behaviour }) => Object.assign(behaviour, { answer: page(challengePage, 403) }),
    },
    {
      title: 'notes a challenge of pages only',
      id: 'http-challenge',
      severity: 'info',
      detail: /only on HTML pages: GET \/\./,
      break: ({ behaviour }) => Object.assign(behaviour, { answer: page(challengePage, 403, /^\/$/) }),
    },
    {
      title: 'warns of an answer that takes over two seconds',
      id: 'http-response-time',
      severity: 'warn',
      detail: /GET \/\.well-known\/nodeinfo took \d+\.\d s/,
      cure: /php artisan optimize/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/.well-known/nodeinfo', fault: 'delay', ms: 2_100 }];
      },
    },
    {
      title: 'warns of a large document that is not compressed',
      id: 'http-compression',
      severity: 'warn',
      detail: /GET \/nodeinfo\/2\.0 \(2\d{4} bytes\)/,
      cure: /gzip_types application\/json/,
      host: { server: { nodeInfo: { metadata: { rules: 'x'.repeat(20_000) } } } },
      break: ({ behaviour }) => Object.assign(behaviour, { compresses: false }),
    },
  ]);
});

describe('http-redirect', () => {
  const judgeRedirect = (location: string, status = 301) =>
    httpRedirect.judge(
      evidenceOf({
        answers: {
          'config-http': exchangeOf({ url: 'http://loops.example/api/v1/config', status, headers: { location } }),
        },
      }),
    );

  it.each([
    ['https://loops.example/api/v1/config', 301, 'pass'],
    ['https://loops.example/api/v1/config', 308, 'pass'],
    ['https://loops.example/api/v1/config', 302, 'warn'],
    ['https://loops.example/', 301, 'warn'],
    ['https://other.example/api/v1/config', 301, 'warn'],
    ['http://loops.example/api/v1/config?', 301, 'warn'],
    ['https://[', 301, 'warn'],
  ] as const)('judges a redirect to %s with %i as %s', (location, status, severity) => {
    expect(judgeRedirect(location, status)).toMatchObject({ severity });
  });

  it('reports nothing if port 80 received no request, as on a domain with a port', () => {
    expect(httpRedirect.judge(evidenceOf({ answers: { 'config-http': null } }))).toBeNull();
  });
});

describe('http-hsts', () => {
  const judgeHeader = (value: string) =>
    httpHsts.judge(
      evidenceOf({ answers: { home: healthyAnswer('home', { headers: { 'strict-transport-security': value } }) } }),
    );

  it.each([
    ['max-age=31536000', 'pass'],
    ['max-age="31536000"; preload', 'pass'],
    ['includeSubDomains; MAX-AGE=31536000', 'pass'],
    ['max-age=86400', 'info'],
    ['max-age=forever', 'warn'],
    ['includeSubDomains', 'warn'],
  ])('judges "%s" as %s', (value, severity) => {
    expect(judgeHeader(value)).toMatchObject({ severity });
  });

  it('judges config when the home page does not respond, and reports nothing when neither does', () => {
    const home = exchangeOf({ failure: 'response-timeout' });
    expect(httpHsts.judge(evidenceOf({ answers: { home } }))).toMatchObject({ severity: 'pass' });
    expect(httpHsts.judge(evidenceOf({ answers: noAnswers() }))).toBeNull();
  });
});

describe('http-www', () => {
  const judgeWww = (wwwAnswer: Parameters<typeof exchangeOf>[0], home = healthyAnswer('home')) =>
    httpWww.judge(
      evidenceOf({ answers: { home, 'home-www': exchangeOf({ url: 'https://www.loops.example/', ...wwwAnswer }) } }),
    );

  it('passes when the `www.` name does not exist', () => {
    expect(judgeWww({ failure: 'dns-nxdomain' })).toMatchObject({ severity: 'pass' });
  });

  it('fails when both names redirect to each other', () => {
    const home = healthyAnswer('home', { status: 301, headers: { location: 'https://www.loops.example/' } });
    expect(judgeWww({ status: 301, headers: { location: 'https://loops.example/' } }, home)).toMatchObject({
      severity: 'fail',
      detail: expect.stringContaining('in an endless loop'),
    });
  });

  it('recognises a copy of the site by its title, and notes another site', () => {
    const body = '<!doctype html><title>Clips of the Harbour</title><meta name="csrf-token" content="1">';
    expect(judgeWww({ body, headers: { 'content-type': 'text/html' } })).toMatchObject({ severity: 'warn' });
    const anotherSite = '<!doctype html><title>The harbour</title>';
    expect(judgeWww({ body: anotherSite, headers: { 'content-type': 'text/html' } })).toMatchObject({
      severity: 'info',
    });
  });

  it('does not call a site different from a home page that fails', () => {
    expect(judgeWww({ body: 'Hello' }, exchangeOf({ status: 502 }))).toBeNull();
    expect(judgeWww({ body: 'Hello' }, exchangeOf({ failure: 'response-timeout' }))).toBeNull();
  });

  it('notes a redirect to a third host, and warns of an address that is not public', () => {
    expect(judgeWww({ status: 302, headers: { location: 'https://shop.example/' } })).toMatchObject({
      severity: 'info',
    });
    expect(judgeWww({ failure: 'forbidden-address' })).toMatchObject({ severity: 'warn' });
  });
});

describe('http-compression', () => {
  it('notes an uncompressed document of a kilobyte, and ignores a small one', () => {
    const headers = { 'content-encoding': undefined };
    const json = liveConfig({ app: liveApp({ description: 'x'.repeat(1_500) }) });
    const judged = httpCompression.judge(
      evidenceOf({ answers: { config: healthyAnswer('config', { json, headers }) } }),
    );
    expect(judged).toMatchObject({ severity: 'info', detail: expect.stringContaining('GET /api/v1/config') });
    const small = healthyAnswer('config', { headers });
    expect(httpCompression.judge(evidenceOf({ answers: { config: small } }))).toMatchObject({ severity: 'pass' });
  });
});

describe('http-response-time', () => {
  it('fails when config is slower than the time-out of the official app, and warns of other slow responses', () => {
    const judged = (name: 'config' | 'home') =>
      httpResponseTime.judge(evidenceOf({ answers: { [name]: healthyAnswer(name, { ms: 6_200 }) } }));
    expect(judged('config')).toMatchObject({
      severity: 'fail',
      detail: expect.stringContaining('GET /api/v1/config took 6.2 s'),
    });
    expect(judged('home')).toMatchObject({ severity: 'warn' });
  });
});

describe('http-home', () => {
  const judgeHome = (changes: Parameters<typeof healthyAnswer>[1]) =>
    httpHome.judge(evidenceOf({ answers: { home: healthyAnswer('home', changes) } }));

  it.each([
    ['a redirect to a page within the host', { status: 302, headers: { location: '/login' } }, 'pass'],
    ['a redirect to another host', { status: 302, headers: { location: 'https://other.example/' } }, 'warn'],
    ['a redirect to an invalid URL', { status: 302, headers: { location: 'https://[' } }, 'warn'],
    ['401', { status: 401 }, 'warn'],
    ['404', { status: 404 }, 'warn'],
    ['an answer that is not a page', { body: '{}', headers: { 'content-type': 'application/json' } }, 'info'],
    ['a parked page', { body: '<!doctype html><title>loops.example is for sale</title>' }, 'fail'],
  ])('judges %s', (_title, changes, severity) => {
    expect(judgeHome(changes)).toMatchObject({ severity });
  });

  it('leaves a host that redirects every request to the rule for config', () => {
    const redirect = { status: 301, headers: { location: 'https://other.example/' } };
    const answers = { home: healthyAnswer('home', redirect), config: healthyAnswer('config', redirect) };
    expect(httpHome.judge(evidenceOf({ answers }))).toBeNull();
  });

  it('leaves server errors, challenges and a host that is down to their rules', () => {
    expect(judgeHome({ status: 502 })).toBeNull();
    expect(judgeHome({ status: 403, body: challengePage })).toBeNull();
    const broken = exchangeOf({ failure: 'response-timeout' });
    const down = { ...noAnswers(), home: broken, config: broken };
    expect(httpHome.judge(evidenceOf({ answers: down }))).toBeNull();
    expect(httpHome.judge(evidenceOf({ answers: { home: broken } }))).toMatchObject({ severity: 'warn' });
  });
});

describe('http-challenge', () => {
  it('recognises Anubis, and has a cure for it', () => {
    const body = "<!doctype html><title>Making sure you're not a bot!</title>";
    const config = healthyAnswer('config', { body, headers: { 'content-type': 'text/html' } });
    expect(httpChallenge.judge(evidenceOf({ answers: { config } }))).toMatchObject({
      severity: 'fail',
      cure: expect.stringContaining('action: ALLOW'),
    });
  });
});

describe('the announcement of an upload', () => {
  const atUpload =
    (answer: NonNullable<HostBehaviour['answer']>): HostBehaviour['answer'] =>
    (request, response, family) =>
      request.url === '/api/v1/studio/upload' ? answer(request, response, family) : false;
  const findingOf = async (answer: HostBehaviour['answer'], timeouts = {}) => {
    const host = await startOperatorHost({ answer });
    const report = await checkHost(host, { rules: httpRules, only: ['http-upload-limit'], timeouts });
    expect(report.verdict).toBe('loops');
    expect(host.requests).toContain('POST /api/v1/studio/upload');
    return { severity: report.findings[0]?.severity, notJudged: report.notJudged.map(({ id }) => id) };
  };
  const pass = { severity: 'pass', notJudged: [] };
  const notJudged = { severity: undefined, notJudged: ['http-upload-limit'] };

  it('passes when the server asks for the body, and sends none', async () => {
    expect(await findingOf(null)).toEqual(pass);
  });

  it.each([401, 403, 404, 405, 419, 422])('passes when the application answers %i', async (status) => {
    expect(await findingOf(atUpload((_, response) => !!response.writeHead(status).end('{}')))).toEqual(pass);
  });

  it.each([417, 429, 500, 502])('is not judged by the status %i', async (status) => {
    expect(await findingOf(atUpload((_, response) => !!response.writeHead(status).end('{}')))).toEqual(notJudged);
  });

  it('is not judged without an answer', async () => {
    expect(await findingOf(atUpload((request) => !!request.socket.destroy()))).toEqual(notJudged);
    expect(
      await findingOf(
        atUpload(() => true),
        { responseMs: 2_000 },
      ),
    ).toEqual(notJudged);
  });

  it('is not sent by a check that is not for the operator', async () => {
    const host = await startOperatorHost();
    await checkHost(host, { rules: httpRules, isForOperator: false });
    expect(host.requests.filter((request) => request.endsWith('/studio/upload'))).toEqual([]);
  });
});
