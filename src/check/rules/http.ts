import type { HttpFailure } from '../../http/failure.ts';
import { originOf } from '../../model/domain/domain.ts';
import {
  answerWords,
  challengeOf,
  contentTypeOf,
  isHtml,
  nameRequests,
  ownAnswers,
  redirectsTo,
  requestWords,
} from '../answers.ts';
import type { Evidence, Exchange, RequestName } from '../evidence.ts';
import { fail, info, nameAll, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail } from '../server-state.ts';
import { httpHome } from './http-home.ts';

/** Addresses that people look at, where a challenge keeps no app out. */
const PAGES: ReadonlySet<RequestName> = new Set<RequestName>(['home', 'home-www', 'unknown-page', 'authorize']);

const CLOUDFLARE =
  'In Cloudflare, under Security, WAF, Custom rules, add a rule above the others with the action Skip (all remaining custom rules, rate limiting, managed rules, Super Bot Fight Mode) for:\n\n    starts_with(http.request.uri.path, "/api/") or starts_with(http.request.uri.path, "/.well-known/") or starts_with(http.request.uri.path, "/nodeinfo/") or starts_with(http.request.uri.path, "/oauth/") or starts_with(http.request.uri.path, "/ap/") or http.request.uri.path eq "/robots.txt"\n\nBot Fight Mode of the free plan cannot be skipped by a rule: turn it off. "Under Attack" mode challenges everybody, and is for an attack alone.';
const ANUBIS =
  'In the policy of Anubis, let what programs ask for through, above the other rules:\n\n    - name: fediverse\n      path_regex: ^/(api|\\.well-known|nodeinfo|oauth|ap)/.*$|^/robots\\.txt$\n      action: ALLOW';
const ANY =
  'Let the proxy in front pass these paths on without a challenge: programs ask for them, and cannot solve one:\n\n    /api/  /.well-known/  /nodeinfo/  /oauth/  /ap/  /robots.txt';

export const httpChallenge: Rule = {
  id: 'http-challenge',
  area: 'http',
  worst: 'fail',
  title: 'No challenge page stands before the API',
  checks:
    'Looks for the challenge pages of Cloudflare, Anubis and other proxies. Fails when one replaces an answer of the API, of NodeInfo or of another address for programs; notes one on HTML pages only.',
  why: 'Only browsers pass a challenge. For apps, other servers and directories the server is down, although its operator can see it.',
  sources: [
    'https://developers.cloudflare.com/waf/custom-rules/skip/',
    'https://anubis.techaro.lol/docs/admin/policies',
  ],
  cure: `${CLOUDFLARE}\n\n${ANUBIS}`,
  judge(evidence) {
    const asked = ownAnswers(evidence).filter(({ exchange }) => exchange.status !== null);
    if (asked.length === 0) return null;
    const held = asked.flatMap(({ name, exchange }) => {
      const challenge = challengeOf(exchange);
      return challenge === null ? [] : [{ name, exchange, by: challenge.by }];
    });
    if (held.length === 0) return pass('There is no challenge page.');
    const by = held.find((each) => each.by !== null)?.by ?? null;
    const whose = by === null ? 'A challenge page' : `A challenge page of ${by}`;
    const named = nameRequests(
      held.map(({ exchange }) => exchange),
      asked.map(({ exchange }) => exchange),
      evidence,
    );
    if (held.every(({ name }) => PAGES.has(name))) return info(`${whose} came for pages alone: ${named}.`);
    const cure = by === 'Cloudflare' ? CLOUDFLARE : by === 'Anubis' ? ANUBIS : ANY;
    return fail(`${whose} came in place of the answer to ${named}.`, cure);
  },
};

const SLOW_MS = 2_000;
/** The official app waits this long for the configuration before it says that the server is unavailable. */
const APP_GIVES_UP_MS = 5_000;

export const httpResponseTime: Rule = {
  id: 'http-response-time',
  area: 'http',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Answers come within two seconds',
  checks:
    'Measures each request from the look-up of the connection to the last byte. Fails when the configuration takes over 5 seconds, warns when any answer takes over 2.',
  why: 'The official app gives the configuration 5 seconds before sign-in, and then calls the server unavailable. Directories and other servers give up after 5 to 10.',
  sources: ['The official app (2026): its look at a server before sign-in'],
  cure: 'See what is slow on the server: the load, the database, and whether all PHP workers are taken (`pm.max_children` reached in the log of PHP-FPM). Caches that are not warm cost the most in Laravel:\n\n    php artisan optimize\n    php artisan queue:restart\n    tail /var/log/php*-fpm.log',
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const answered = ownAnswers(evidence).filter(
      ({ exchange }) => exchange.status !== null && exchange.failure === null,
    );
    if (answered.length === 0) return null;
    const slow = answered.filter(({ exchange }) => exchange.ms > SLOW_MS).sort((a, b) => b.exchange.ms - a.exchange.ms);
    const { config } = evidence.answers;
    if (slow.length === 0) {
      const times = answered.map(({ exchange }) => exchange.ms).sort((a, b) => a - b);
      return pass(
        `Half of the answers came within ${times[times.length >> 1]} ms, the slowest took ${times.at(-1)} ms.`,
      );
    }
    const named = slow.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} took ${seconds(exchange.ms)}`,
    );
    const isTooLate = config !== null && config.status !== null && config.ms > APP_GIVES_UP_MS;
    const detail = `${nameAll(named)}.`;
    return isTooLate
      ? fail(`${detail} The official app gives up after 5 s and calls the server unavailable.`, httpResponseTime.cure)
      : warn(detail, httpResponseTime.cure);
  },
};

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

const redirectCureFor = (name: string) =>
  `In nginx, a server of its own for port 80, and then reload it:\n\n    server {\n        listen 80;\n        listen [::]:80;\n        server_name ${name};\n        return 301 https://$host$request_uri;\n    }`;

export const httpRedirect: Rule = {
  id: 'http-redirect',
  area: 'http',
  worst: 'warn',
  title: 'http:// leads to https:// on the same host and path',
  checks:
    'Asks port 80. It should answer 301 or 308 with the same host and path on https. Warns for an answer without a redirect, a temporary one, one to another host or path; notes a port 80 where nobody listens.',
  why: 'Typed names and old links lead to http. Pages and sessions served there can be read and changed in transit.',
  sources: ['RFC 9110 section 15.4', 'RFC 6797 section 7.2'],
  cure: redirectCureFor('loops.example'),
  judge({ answers, dns }) {
    const exchange = answers['home-http'];
    if (exchange === null || exchange.status === 429) return null;
    const { status, headers, url, failure } = exchange;
    const cure = redirectCureFor(dns.name);
    if (status === null) {
      return info(
        `Port 80 gives ${answerWords(exchange)}. Visitors who type the name without https:// may get no answer; certificates by the http-01 challenge need port 80 too.`,
      );
    }
    if (failure !== null || status >= 500)
      return warn(`Port 80 gives ${answerWords(exchange)} and not a redirect.`, cure);
    const { location } = headers;
    if (status < 300 || status >= 400 || location === undefined) {
      return warn(
        `Port 80 gives ${answerWords(exchange)}: the site is there without TLS, and does not lead to https.`,
        cure,
      );
    }
    const to = URL.parse(location, url);
    const from = new URL(url);
    if (to === null || to.protocol !== 'https:')
      return warn(`Port 80 redirects to ${showText(location)}, which is not https.`, cure);
    if (to.host !== from.host) return warn(`Port 80 redirects to another host, ${showText(to.host)}.`, cure);
    if (to.pathname !== from.pathname) {
      return warn(
        `Port 80 redirects ${showText(from.pathname)} to ${showText(to.pathname)}: old links lead to the wrong page.`,
        cure,
      );
    }
    if (status !== 301 && status !== 308)
      return warn(
        `Port 80 redirects with ${status}, a temporary redirect: clients do not cache it, and every visit begins without TLS.`,
        cure,
      );
    return pass(`http:// is redirected to https:// (${status}).`);
  },
};

const HSTS_LINE = '    add_header Strict-Transport-Security "max-age=31536000" always;';
const HSTS_CURE = `In nginx, in the server of port 443, and then reload it. Begin with a small number if you are not sure that https stays:\n\n${HSTS_LINE}`;
const HALF_YEAR_SECONDS = 15_768_000;

export const httpHsts: Rule = {
  id: 'http-hsts',
  area: 'http',
  worst: 'warn',
  title: 'Browsers are instructed to use only https (HSTS)',
  checks:
    'Reads `Strict-Transport-Security` of the home page, or of the configuration. Warns when it is missing, malformed or has `max-age=0`, notes one of less than half a year.',
  why: 'Without it, every visit that begins with http:// can be intercepted before the redirect. With it, only the first one can.',
  sources: ['RFC 6797'],
  cure: HSTS_CURE,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { answers } = evidence;
    const answer = [answers.home, answers.config].find(
      (each) => each !== null && each.failure === null && (each.status ?? 500) < 500,
    );
    if (answer == null) return null;
    const value = answer.headers['strict-transport-security'];
    if (value === undefined) return warn('The header Strict-Transport-Security is missing.', HSTS_CURE);
    const text = String(value);
    const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$|,)/i.exec(text)?.[1];
    if (seconds === undefined)
      return warn(
        `Strict-Transport-Security is ${showText(text)}, which has no max-age in seconds: browsers ignore it.`,
        HSTS_CURE,
      );
    if (Number(seconds) === 0) return warn('Strict-Transport-Security has max-age=0: browsers drop it.', HSTS_CURE);
    if (Number(seconds) < HALF_YEAR_SECONDS) {
      return info(
        `Strict-Transport-Security holds for ${seconds} seconds; half a year (${HALF_YEAR_SECONDS}) or more is usual.`,
      );
    }
    return pass(`Strict-Transport-Security: ${showText(text)}.`);
  },
};

const wwwCureFor = (twin: string, name: string) =>
  `Let ${twin} redirect, or take it out of the DNS. In nginx:\n\n    server {\n        listen 443 ssl;\n        listen [::]:443 ssl;\n        server_name ${twin};\n        return 301 https://${name}$request_uri;\n    }`;

export const httpWww: Rule = {
  id: 'http-www',
  area: 'http',
  worst: 'fail',
  title: 'www and the bare name lead to one site',
  checks:
    'Asks for the home page of the same name with `www.`, or without it. It should redirect to the name that is checked, or not exist. Warns for a copy of the site and for a name that exists and does not work; fails when the two redirect to each other.',
  why: 'An account belongs to one host name: `@ada@loops.example`. To others, a copy under another name is a second server with mismatched links, sign-ins and accounts.',
  sources: ['RFC 9110 section 15.4', 'RFC 7033'],
  cure: wwwCureFor('www.loops.example', 'loops.example'),
  judge(evidence) {
    const { answers, dns, domain } = evidence;
    const exchange = answers['home-www'];
    if (exchange === null) return null;
    const { status, failure, url } = exchange;
    const twin = new URL(url).host;
    const cure = wwwCureFor(twin, dns.name);
    if (failure === 'dns-nxdomain' || failure === 'dns-no-address')
      return pass(`${twin} does not exist, which is fine.`);
    if (failure?.startsWith('dns-') === true || failure === 'no-route') return null;
    // What is wrong with the host itself has rules of its own, and is likely wrong with both names.
    if (status === null && isBrokenLike(failure, evidence)) return null;
    if (failure === 'forbidden-address')
      return warn(
        `${twin} has an address that is not public.`,
        `Take ${twin} out of the DNS, or give it the address of the server and let it redirect.`,
      );
    if (status === null)
      return warn(
        `${twin} is in the DNS, but gives ${answerWords(exchange)}.`,
        `${cure}\n\nIts certificate must name it too:\n\n    certbot --nginx -d ${dns.name} -d ${twin}`,
      );
    const to = redirectsTo(exchange);
    if (to !== null) {
      if (to.host !== domain)
        return to.host === twin ? null : info(`${twin} redirects to another host, ${showText(to.host)}.`);
      const isCircle = redirectsTo(answers.home)?.host === twin;
      if (isCircle)
        return fail(
          `${domain} redirects to ${twin}, and ${twin} to ${domain}: no page is ever reached.`,
          `Choose one of the two, and let it answer itself. ${cure}`,
        );
      return pass(`${twin} redirects to ${domain}.`);
    }
    if (redirectsTo(answers.home)?.host === twin)
      return info(`${domain} redirects to ${twin}: accounts belong to the name that app.url names.`);
    if (status < 200 || status >= 300) return info(`${twin} gives ${answerWords(exchange)}.`);
    if (!isCopy(answers.home, exchange)) return info(`${twin} is another site.`);
    return warn(`${twin} shows the same site as ${domain}, and does not redirect to it.`, cure);
  },
};

/** Whether the host that is checked fails as its twin does, over one family or both. */
function isBrokenLike(failure: HttpFailure | null, { tls, answers }: Evidence): boolean {
  return answers.home?.failure === failure || tls?.handshakes.some((handshake) => handshake.failure !== null) === true;
}

/** Pages differ from one request to the next (tokens for forms, times), but not in their title. */
function isCopy(home: Exchange | null, twin: Exchange): boolean {
  if (home === null || home.status !== twin.status) return false;
  if (Buffer.compare(home.body, twin.body) === 0) return true;
  return isHtml(home) && isHtml(twin) && titleOf(home) !== null && titleOf(home) === titleOf(twin);
}

function titleOf({ body }: Exchange): string | null {
  const [, title] = /<title[^>]*>([^<]{1,300})/i.exec(new TextDecoder().decode(body.subarray(0, 16_384))) ?? [];
  return title?.trim() ?? null;
}

const HTTP2_LINE = '    http2 on;';

const httpHttp2: Rule = {
  id: 'http-http2',
  area: 'http',
  worst: 'info',
  title: 'The server speaks HTTP/2',
  checks: 'Notes a server that, offered `h2` and `http/1.1`, chooses `http/1.1`.',
  why: 'An app that loads a feed asks for many things at once. Over HTTP/2 they share one connection; over HTTP/1.1 they wait for each other.',
  sources: ['RFC 9113'],
  cure: `In nginx 1.25.1 or newer (before that, \`http2\` at the end of the \`listen\` line), and then reload it:\n\n${HTTP2_LINE}`,
  judge({ tls }) {
    const alpn = tls?.handshakes.find((handshake) => handshake.failure === null)?.alpn ?? null;
    if (alpn === null) return null;
    if (alpn === 'h2') return pass('The server speaks HTTP/2.');
    return info('The server speaks HTTP/1.1 alone. In nginx 1.25.1 or newer, `http2 on;` turns HTTP/2 on.');
  },
};

const LINES =
  '    gzip on;\n    gzip_vary on;\n    gzip_proxied any;\n    gzip_min_length 1000;\n    gzip_types application/json application/activity+json application/jrd+json application/javascript text/css image/svg+xml;';
/** Below this, compressing saves no packet. */
const NOTED_BYTES = 1_000;
const LARGE_BYTES = 10_000;

export const httpCompression: Rule = {
  id: 'http-compression',
  area: 'http',
  worst: 'warn',
  title: 'JSON is compressed',
  checks:
    'Every request says that it takes gzip, brotli and zstd. Notes answers in JSON of 1,000 bytes and more that come without, warns from 10,000 bytes on.',
  why: 'JSON shrinks to a fifth. Feeds are tens of kilobytes each, over mobile networks.',
  sources: ['RFC 9110 section 8.4'],
  cure: `In nginx, in the block \`http\`, and then reload it; without \`gzip_types\` it compresses HTML alone:\n\n${LINES}`,
  judge(evidence) {
    const json = ownAnswers(evidence).filter(
      ({ exchange }) =>
        exchange.status !== null && exchange.failure === null && /[/+]json$/.test(contentTypeOf(exchange) ?? ''),
    );
    if (json.length === 0) return null;
    const plain = json.filter(
      ({ name, exchange }) =>
        exchange.headers['content-encoding'] === undefined &&
        exchange.body.length >= NOTED_BYTES &&
        !name.startsWith('config-'),
    );
    if (plain.length === 0) {
      const isAny = json.some(({ exchange }) => exchange.headers['content-encoding'] !== undefined);
      return isAny ? pass('JSON is compressed.') : null;
    }
    const named = plain.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.body.length} bytes)`,
    );
    const detail = `Not compressed: ${nameAll(named)}.`;
    return plain.some(({ exchange }) => exchange.body.length >= LARGE_BYTES)
      ? warn(detail, httpCompression.cure)
      : info(detail);
  },
};

/** The rules of HTTP, in the order of a report. */
export const httpRules: readonly Rule[] = [
  httpHome,
  httpChallenge,
  httpResponseTime,
  httpRedirect,
  httpHsts,
  httpWww,
  httpHttp2,
  httpCompression,
];
