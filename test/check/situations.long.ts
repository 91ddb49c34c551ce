import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isGreen } from '../../src/check/report.ts';
import { RULES } from '../../src/check/rules.ts';
import {
  checkHost,
  type HostBehaviour,
  type OperatorHost,
  type OperatorHostOptions,
  startOperatorHost,
} from './operator-host.ts';

/** The robots.txt in the repository of Loops, which is not that of live servers (`RECOMMENDED_ROBOTS`). */
const REPOSITORY_ROBOTS = `User-agent: *
Allow: /
Allow: /.well-known/
Allow: /.well-known/nodeinfo
Disallow: /admin/*
Disallow: /explore
Disallow: /api/
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Allow: /api/v1/video/
`;

/** A server as the installation guide of Loops leaves it: no header, no compression, one address. */
const STOCK: OperatorHostOptions = {
  hsts: null,
  compresses: false,
  cacheControl: 'no-cache, private',
  caa: [],
  ipv6: [],
  http2: false,
  www: 'absent',
  server: { robots: REPOSITORY_ROBOTS },
};

type Reply = [status: number, type: string, body: string | Uint8Array, headers?: Record<string, string>];

/** An `answer` of a host that replies the same to all requests for these paths. */
const fixedAnswer =
  (paths: RegExp, ...[status, type, body, headers = {}]: Reply): HostBehaviour['answer'] =>
  (request, response) => {
    if (!paths.test(request.url ?? '')) return false;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
/** Makes a host reply the same to all requests for these paths. */
const reply =
  (paths: RegExp, ...parts: Reply) =>
  ({ behaviour }: OperatorHost) =>
    void Object.assign(behaviour, { answer: fixedAnswer(paths, ...parts) });

const JSON_TYPE = 'application/json';
const HTML = 'text/html';
const EVERYTHING = /^/;
const CONFIG = /^\/api\/v1\/config/;
const WELL_KNOWN = /^\/\.well-known\//;
/** What PHP answers: everything but robots.txt, which is a file. */
const APPLICATION = /^(?!\/robots\.txt)/;
const WEB_APP =
  '<!doctype html><html><head><title>Loops</title></head><body><div id="app"></div><script type="module" src="/build/app.js"></script></body></html>';
const REFUSAL = '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>';
const configText = JSON.stringify({ app: { software: 'loops', name: 'Clips', version: '1.0.0-beta.14' } });
const REL = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
const discoveryTo = (href: string) => JSON.stringify({ links: [{ rel: REL, href }] });
/** The answer of Laravel to a request that fails in debug mode. */
const debugError = (message: string) =>
  JSON.stringify({ message, exception: 'Exception', file: '/var/www/loops/app/A.php', line: 1, trace: [] });
const cloudflareError = (code: number) =>
  `<!doctype html><html><head><title>Cloudflare Tunnel error</title></head><body><h1>Error ${code}</h1><p>error code: ${code}</p></body></html>`;

const nodeInfoWith = (metadata: object) =>
  JSON.stringify({
    version: '2.0',
    software: { name: 'loops', version: '1.0.0-beta.14' },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: true,
    usage: { users: { total: 3, activeMonth: 1, activeHalfyear: 2 }, localPosts: 4 },
    metadata: { nodeName: 'Clips', nodeDescription: 'Videos.', ...metadata },
  });
/** Makes the clock of a host differ from ours. */
const withClock =
  (ms: number) =>
  ({ behaviour }: OperatorHost) => {
    behaviour.headers = { date: new Date(Date.now() + ms).toUTCString() };
  };

const HEALTHY: readonly [situation: string, options: OperatorHostOptions, change?: (host: OperatorHost) => void][] = [
  ['a stock server', STOCK],
  [
    'a stock server with the name and description of an installation',
    STOCK,
    ({ server }) => {
      Object.assign(server.state.config.app, { name: 'Loops', description: '' });
    },
  ],
  [
    'a stock server with federation off',
    STOCK,
    ({ server }) => {
      server.state.config.federation = false;
    },
  ],
  [
    'a stock server with closed registration',
    STOCK,
    ({ server }) => {
      Object.assign(server.state.config, { registration: false, registration_mode: 'closed' });
    },
  ],
  [
    'a new server without users and posts',
    STOCK,
    ({ server }) => {
      server.state.usage = { users: { total: 0, activeMonth: 0, activeHalfyear: 0 }, localPosts: 0 };
    },
  ],
  ['authorised fetch', STOCK, reply(/^\/ap\//, 403, JSON_TYPE, '{"message":"Resource not found.1"}')],
  ['authorised fetch with 401', STOCK, reply(/^\/ap\//, 401, JSON_TYPE, '{"message":"Unauthorized"}')],
  [
    'a server behind Cloudflare',
    STOCK,
    ({ behaviour }) => {
      behaviour.headers = { server: 'cloudflare', 'cf-ray': '8a0', 'set-cookie': '__cf_bm=a; path=/' };
    },
  ],
  [
    'no robots.txt',
    STOCK,
    ({ server }) => {
      server.state.robots = null;
    },
  ],
  ['port 80 closed', { ...STOCK, http: 'closed' }],
  ['a careful operator', {}],
];

interface Fault {
  situation: string;
  /** Rule and severity of the first finding, such as `config-json fail`. */
  first: string;
  detail: RegExp;
  cure: RegExp;
  options?: OperatorHostOptions;
  change?: (host: OperatorHost) => void;
}

const FAULTS: readonly Fault[] = [
  {
    situation: 'a NodeInfo href with http',
    first: 'nodeinfo-href warn',
    detail: /plain http/,
    cure: /^(?!.*APP_URL|.*FORCE_HTTPS).*TRUST_PROXIES_ENABLED=true\n.*TRUST_PROXIES=.*X-Forwarded-Proto.*fastcgi_param HTTPS on/s,
    change: reply(/^\/\.well-known\/nodeinfo/, 200, JSON_TYPE, discoveryTo('http://loops.example/nodeinfo/2.0')),
  },
  {
    situation: 'a NodeInfo href on another host',
    first: 'nodeinfo-href fail',
    detail: /localhost/,
    cure: /^(?!.*APP_URL).*proxy_set_header Host \$host/s,
    change: reply(/^\/\.well-known\/nodeinfo/, 200, JSON_TYPE, discoveryTo('https://localhost/nodeinfo/2.0')),
  },
  {
    situation: 'a redirect loop',
    first: 'config-redirect fail',
    detail: /endless loop/,
    cure: /Full \(strict\).*TRUST_PROXIES_ENABLED=true.*X-Forwarded-Proto/s,
    change: ({ behaviour }) => {
      behaviour.answer = (request, response) => {
        response.writeHead(301, { location: `https://loops.example${request.url}` }).end();
        return true;
      };
    },
  },
  {
    situation: 'config over the rate limit',
    first: 'config-answered fail',
    detail: /429/,
    cure: /LOOPS_API_RATE_LIMITS_GUEST_PER_MIN=\d+\n.*LOOPS_API_RATE_LIMITS_GUEST_PER_HOUR=\d+/,
    change: reply(CONFIG, 429, JSON_TYPE, '{"message":"Too many requests"}', { 'retry-after': '60' }),
  },
  {
    situation: 'everything over the rate limit',
    first: 'config-answered fail',
    detail: /429/,
    cure: /LOOPS_API_RATE_LIMITS_GUEST_PER_MIN/,
    change: reply(EVERYTHING, 429, JSON_TYPE, '{"message":"Too many requests"}', { 'retry-after': '60' }),
  },
  {
    situation: 'a rate limit too low for an app',
    first: 'api-rate-limit warn',
    detail: /X-RateLimit-Limit is 10/,
    cure: /LOOPS_API_RATE_LIMITS_GUEST_PER_MIN/,
    change: ({ behaviour }) => {
      behaviour.headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' };
    },
  },
  {
    situation: 'no CORS header',
    first: 'config-cors warn',
    detail: /no Access-Control-Allow-Origin/,
    cure: /php artisan config:publish cors.*add_header Access-Control-Allow-Origin/s,
    change: ({ behaviour }) => {
      behaviour.cors = false;
    },
  },
  {
    situation: 'config alone answers 500',
    first: 'config-answered fail',
    detail: /500.*the keys of OAuth or Redis/,
    cure: /passport:keys.*chmod 600.*redis-cli ping/s,
    change: reply(CONFIG, 500, JSON_TYPE, '{"message":"Server Error"}'),
  },
  {
    situation: 'an outdated federation setting',
    first: 'nodeinfo-discovery fail',
    detail: /404 as JSON, although config says that federation is on/,
    cure: /php artisan cache:clear/,
    change: reply(/^\/(?:\.well-known\/nodeinfo|nodeinfo\/)/, 404, JSON_TYPE, '{"message":"Not Found."}'),
  },
  {
    situation: 'no link to the storage',
    first: 'http-storage warn',
    detail: /default\.jpg gives 404/,
    cure: /php artisan storage:link/,
    change: reply(/^\/storage\//, 404, HTML, '<html><h1>404</h1></html>'),
  },
  {
    situation: 'no web app',
    first: 'http-web-app fail',
    detail: /app\.js gives 404/,
    cure: /npm run build/,
    change: reply(/^\/assets\//, 404, HTML, '<html><h1>404</h1></html>'),
  },
  {
    situation: 'a web app of another version',
    first: 'http-web-app warn',
    detail: /"1\.0\.0-beta\.12", config of/,
    cure: /php artisan optimize:clear/,
    change: reply(
      /^\/$/,
      200,
      HTML,
      '<!doctype html><html><head><title>Loops</title><script>window.appConfig = {"app_version":"1.0.0-beta.12"};</script></head><body></body></html>',
    ),
  },
  {
    situation: 'a clock that is two hours slow',
    first: 'http-clock fail',
    detail: /120 minutes behind/,
    cure: /timedatectl set-ntp true/,
    change: withClock(-7_200_000),
  },
  {
    situation: 'a clock that is ten minutes fast',
    first: 'http-clock warn',
    detail: /10 minutes ahead of/,
    cure: /timedatectl set-ntp true/,
    change: withClock(600_000),
  },
  {
    situation: 'a clock that is two hours fast',
    first: 'http-clock fail',
    detail: /120 minutes ahead of.*refuse its signatures/,
    cure: /timedatectl set-ntp true/,
    change: withClock(7_200_000),
  },
  {
    situation: 'a web server that refuses videos of the permitted size',
    first: 'http-upload-limit warn',
    detail: /videos of 40 MB.*413/,
    cure: /client_max_body_size 44M;.*upload_max_filesize = 44M.*Cloudflare accepts at most 100 MB/s,
    change: ({ behaviour }) => {
      behaviour.answer = (request, response) => {
        if (request.url !== '/api/v1/studio/upload') return false;
        // As nginx does: the headers are enough for it, and it closes the connection.
        response.writeHead(413, { 'content-type': HTML, connection: 'close' }).end('<html><h1>413</h1></html>');
        return true;
      };
    },
  },
  {
    situation: 'NodeInfo that asks to be left out',
    first: 'nodeinfo-listing warn',
    detail: /hide_in_statistics/,
    cure: /hide_in_statistics/,
    change: reply(/^\/nodeinfo\//, 200, JSON_TYPE, nodeInfoWith({ hide_in_statistics: true })),
  },
  {
    situation: 'NodeInfo that calls the server private',
    first: 'nodeinfo-listing warn',
    detail: /private/,
    cure: /remove these members from the metadata/,
    change: reply(/^\/nodeinfo\//, 200, JSON_TYPE, nodeInfoWith({ private: true })),
  },
  {
    situation: 'no OAuth keys',
    first: 'api-server-errors fail',
    detail: /All of them need the keys of OAuth/,
    cure: /php artisan passport:keys/,
    change: reply(/^\/oauth\//, 500, JSON_TYPE, '{"message":"Server Error"}'),
  },
  {
    situation: 'no database, in debug mode',
    first: 'config-answered fail',
    detail: /500.*"SQLSTATE\[HY000\] \[2002\] Connection refused"/,
    cure: /DB_HOST=/,
    change: reply(
      APPLICATION,
      500,
      JSON_TYPE,
      debugError('SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select * from `users`)'),
    ),
  },
  {
    situation: 'a missing table, in debug mode',
    first: 'config-answered fail',
    detail: /SQLSTATE\[42S02\]: Base table or view not found/,
    cure: /php artisan migrate --force/,
    change: reply(
      CONFIG,
      500,
      JSON_TYPE,
      debugError("SQLSTATE[42S02]: Base table or view not found: 1146 Table 'a.b'"),
    ),
  },
  {
    situation: 'no application key, in debug mode',
    first: 'config-answered fail',
    detail: /No application encryption key/,
    cure: /php artisan key:generate/,
    change: reply(APPLICATION, 500, JSON_TYPE, debugError('No application encryption key has been specified.')),
  },
  {
    situation: 'unreadable OAuth keys, in debug mode',
    first: 'api-server-errors fail',
    detail: /Key path .* does not exist/,
    cure: /php artisan passport:keys/,
    change: reply(
      /^\/oauth\//,
      500,
      JSON_TYPE,
      debugError('Key path "file:///var/www/loops/storage/oauth-private.key" does not exist or is not readable'),
    ),
  },
  {
    situation: 'debug mode on a working server',
    first: 'api-debug fail',
    detail: /Debug mode/,
    cure: /APP_DEBUG=false/,
    change: reply(/^\/api\/v1\/video\//, 404, JSON_TYPE, debugError('Not found')),
  },
  {
    situation: 'config compressed twice',
    first: 'config-json fail',
    detail: /compressed twice/,
    cure: /zlib\.output_compression = Off/,
    change: reply(CONFIG, 200, JSON_TYPE, gzipSync(gzipSync(configText)), { 'content-encoding': 'gzip' }),
  },
  {
    situation: 'config compressed without Content-Encoding',
    first: 'config-json fail',
    detail: /no Content-Encoding/,
    cure: /zlib\.output_compression = Off/,
    change: reply(CONFIG, 200, JSON_TYPE, gzipSync(configText)),
  },
  {
    situation: 'everything compressed twice',
    first: 'config-json fail',
    detail: /compressed twice/,
    cure: /zlib\.output_compression = Off/,
    change: reply(EVERYTHING, 200, JSON_TYPE, gzipSync(gzipSync(configText)), { 'content-encoding': 'gzip' }),
  },
  {
    situation: '403 for hidden files',
    first: 'nodeinfo-discovery fail',
    detail: /403, while the API works: the web server blocks \/\.well-known\//,
    cure: /location \^~ \/\.well-known\/.*location ~ \/\\\.\(\?!well-known\)/s,
    change: reply(WELL_KNOWN, 403, HTML, REFUSAL),
  },
  {
    situation: '404 for hidden files',
    first: 'nodeinfo-discovery fail',
    detail: /404, while the API works: the web server blocks \/\.well-known\//,
    cure: /location ~ \/\\\.\(\?!well-known\)/,
    change: reply(WELL_KNOWN, 404, HTML, REFUSAL.replaceAll('403 Forbidden', '404 Not Found')),
  },
  {
    situation: 'a Cloudflare tunnel that is down',
    first: 'config-answered fail',
    detail: /530.*error 1033: its tunnel to the server is down/,
    cure: /systemctl restart cloudflared/,
    change: reply(EVERYTHING, 530, HTML, cloudflareError(1033)),
  },
  {
    situation: 'Cloudflare that cannot reach the server',
    first: 'config-answered fail',
    detail: /522/,
    cure: /521 and 522/,
    change: reply(EVERYTHING, 522, HTML, cloudflareError(522)),
  },
  {
    situation: 'PHP that is down',
    first: 'config-answered fail',
    detail: /502/,
    cure: /systemctl .*php\*-fpm/,
    change: reply(APPLICATION, 502, HTML, REFUSAL.replaceAll('403 Forbidden', '502 Bad Gateway')),
  },
  {
    situation: 'maintenance mode',
    first: 'config-answered fail',
    detail: /503/,
    cure: /php artisan up/,
    change: reply(APPLICATION, 503, HTML, REFUSAL.replaceAll('403 Forbidden', '503 Service Unavailable')),
  },
  {
    situation: 'a slow database behind nginx',
    first: 'config-answered fail',
    detail: /504/,
    cure: /php artisan db:monitor/,
    change: reply(APPLICATION, 504, HTML, REFUSAL.replaceAll('403 Forbidden', '504 Gateway Time-out')),
  },
  {
    situation: 'the API served as the web app',
    first: 'config-json fail',
    detail: /page of HTML/,
    cure: /location \^~ \/api\//,
    change: reply(/^\/api\//, 200, HTML, WEB_APP),
  },
  {
    situation: 'the default page of nginx',
    first: 'http-home fail',
    detail: /default page/,
    cure: /sites-enabled\/default/,
    change: reply(
      EVERYTHING,
      200,
      HTML,
      '<!doctype html><html><head><title>Welcome to nginx!</title></head><body></body></html>',
    ),
  },
  {
    situation: 'a password on the whole site',
    first: 'config-public fail',
    detail: /401/,
    cure: /auth_basic/,
    change: reply(APPLICATION, 401, HTML, REFUSAL, { 'www-authenticate': 'Basic realm="Members"' }),
  },
  {
    situation: 'form protection on the token endpoint',
    first: 'oauth-token fail',
    detail: /419/,
    cure: /SANCTUM_STATEFUL_DOMAINS=loops\.example/,
    change: reply(/^\/oauth\/token/, 419, HTML, '<html>Page Expired</html>'),
  },
  {
    situation: 'a PHP warning before the configuration',
    first: 'config-json fail',
    detail: /not JSON/,
    cure: /display_errors = Off/,
    change: reply(CONFIG, 200, JSON_TYPE, `Warning: Undefined key in a.php\n${configText}`),
  },
  {
    situation: 'localhost in APP_URL',
    first: 'config-url fail',
    detail: /localhost/,
    cure: /APP_URL=https:\/\/loops\.example/,
    change: ({ server }) => {
      server.state.config.app.url = 'https://localhost';
    },
  },
  {
    situation: 'a session cookie on the configuration',
    first: 'config-cookies warn',
    detail: /loops_session/,
    cure: /SANCTUM_STATEFUL_DOMAINS=loops\.example/,
    change: ({ behaviour }) => {
      behaviour.headers = { 'set-cookie': 'loops_session=x; path=/' };
    },
  },
  {
    situation: 'robots.txt that fails',
    first: 'robots-available fail',
    detail: /500/,
    cure: /location = \/robots\.txt/,
    change: reply(/^\/robots\.txt/, 500, HTML, REFUSAL),
  },
  {
    situation: 'robots.txt that forbids everything',
    first: 'robots-config warn',
    detail: /whole server/,
    cure: /Allow: \/api\/v1\/config/,
    change: ({ server }) => {
      server.state.robots = 'User-agent: *\nDisallow: /\nAllow: /.well-known/nodeinfo\nAllow: /nodeinfo/\n';
    },
  },
  {
    situation: 'X-Robots-Tag: noindex on everything',
    first: 'robots-noindex fail',
    detail: /asks not to publish the server/,
    cure: /X-Robots-Tag/,
    change: ({ behaviour }) => {
      behaviour.headers = { 'x-robots-tag': 'noindex' };
    },
  },
  {
    situation: 'the web app in place of the actor',
    first: 'federation-actor fail',
    detail: /web app/,
    cure: /location \^~ \/ap\//,
    change: reply(/^\/ap\//, 200, HTML, WEB_APP),
  },
  {
    situation: 'a shared inbox that fails',
    first: 'federation-inbox fail',
    detail: /POST \/ap\/inbox .*500/,
    cure: /php artisan migrate --force/,
    change: reply(/^\/ap\/inbox/, 500, JSON_TYPE, '{"message":"Server Error"}'),
  },
  {
    situation: 'a web server that blocks the actor',
    first: 'federation-actor fail',
    detail: /403 Forbidden as HTML/,
    cure: /location \^~ \/ap\//,
    change: reply(/^\/ap\//, 403, HTML, REFUSAL),
  },
  {
    situation: 'an expired certificate',
    first: 'tls-expiry fail',
    detail: /expired/,
    cure: /certbot renew/,
    options: {
      certificate: { names: ['loops.example'], fromDay: -90, toDay: -1, signer: 'trusted', sendsIntermediate: true },
    },
  },
  {
    situation: 'a certificate without its intermediate',
    first: 'tls-chain fail',
    detail: /only its own certificate/,
    cure: /fullchain/,
    options: {
      certificate: { names: ['loops.example'], fromDay: -9, toDay: 80, signer: 'trusted', sendsIntermediate: false },
    },
  },
  {
    situation: 'a name that does not exist',
    first: 'dns-resolves fail',
    detail: /does not exist/,
    cure: /IN {2}A/,
    options: { ipv4: 'nxdomain', ipv6: 'nxdomain' },
  },
  {
    situation: 'nothing listening on IPv6',
    first: 'dns-families-alike fail',
    detail: /not over IPv6/,
    cure: /listen \[::\]:443 ssl/,
    options: { overIpv6: 'refused' },
  },
  {
    situation: 'a copy of the site under www',
    first: 'http-www warn',
    detail: /same site/,
    cure: /return 301/,
    options: { www: 'serves' },
  },
  {
    situation: 'port 80 without a redirect',
    first: 'http-redirect warn',
    detail: /without TLS/,
    cure: /return 301/,
    options: { http: 'serves' },
  },
];

const checkSituation = async (options: OperatorHostOptions, change?: (host: OperatorHost) => void) => {
  const host = await startOperatorHost(options);
  change?.(host);
  // Answers are slow while other tests use the machine.
  return checkHost(host, { rules: RULES, skip: ['http-response-time'] });
};

describe('a healthy server has no fail and no warn, and is green with --strict', () => {
  it.each(HEALTHY)('%s', async (_situation, options, change) => {
    const report = await checkSituation(options, change);
    expect(report.findings.filter(({ severity }) => severity === 'fail' || severity === 'warn')).toEqual([]);
    expect(isGreen(report, true)).toBe(true);
  });
});

describe('the first finding is the cause, with a cure that Loops or its web server offers', () => {
  it.each(FAULTS)('$situation', async ({ first, detail, cure, options = {}, change }) => {
    const stock = { server: { robots: REPOSITORY_ROBOTS }, hsts: null, ...options };
    const [finding] = (await checkSituation(stock, change)).findings;
    expect(finding).toMatchObject({ detail: expect.stringMatching(detail) });
    expect(`${finding?.id} ${finding?.severity}`).toBe(first);
    expect(finding?.cure).toMatch(cure);
    expect(finding?.cure).not.toMatch(/bootstrap\/app\.php|app\/Providers|routes\//);
  });
});
