import type { HttpFailure } from '../../http/failure.ts';
import { originOf, storedDomain } from '../../model/domain/domain.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import {
  answerWords,
  challengeOf,
  completeAnswers,
  contentTypeOf,
  exchangesWithHost,
  isHtml,
  nameRequests,
  redirectTargetOf,
  requestWords,
} from '../answers.ts';
import { headerLinesCure } from '../cures.ts';
import type { CheckExchange, Evidence, RequestName } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail } from '../server-state.ts';
import { httpStorage, httpUploadLimit, httpWebApp } from './http-files.ts';
import { httpHome } from './http-home.ts';

/** Requests for pages that only browsers open: a challenge there does not affect apps. */
const PAGES: ReadonlySet<RequestName> = new Set<RequestName>(['home', 'home-www', 'unknown-page', 'authorize']);

const CLOUDFLARE_CURE =
  'In Cloudflare, under Security, WAF, Custom rules, add a rule above the others with the action Skip (all remaining custom rules, rate limiting, managed rules, Super Bot Fight Mode) for:\n\n    starts_with(http.request.uri.path, "/api/") or starts_with(http.request.uri.path, "/.well-known/") or starts_with(http.request.uri.path, "/nodeinfo/") or starts_with(http.request.uri.path, "/oauth/") or starts_with(http.request.uri.path, "/ap/") or http.request.uri.path eq "/robots.txt"\n\nBot Fight Mode of the free plan cannot be skipped by a rule: turn it off. "Under Attack" mode challenges every visitor; use it only during an attack.';
const ANUBIS_CURE =
  'In the policy of Anubis, above the other rules, allow the paths that programs request:\n\n    - name: fediverse\n      path_regex: ^/(api|\\.well-known|nodeinfo|oauth|ap)/.*$|^/robots\\.txt$\n      action: ALLOW';
const OTHER_PROXY_CURE =
  'Exempt these paths from the challenge in the proxy in front; programs request them and cannot solve it:\n\n    /api/  /.well-known/  /nodeinfo/  /oauth/  /ap/  /robots.txt';

export const httpChallenge: Rule = {
  id: 'http-challenge',
  worst: 'fail',
  title: 'The API answers without a challenge page',
  checks:
    'Looks for the challenge pages of Cloudflare, Anubis and other proxies. Fails when one replaces an answer of the API, of NodeInfo or of another path that programs request; when only HTML pages have a challenge, reports that as info.',
  why: 'Only browsers can pass a challenge. For apps, other servers and directories the server is down, although it works in a browser. The official app signs its users out when the API answers 403 or with an HTML page.',
  sources: [
    'https://developers.cloudflare.com/waf/custom-rules/skip/',
    'https://anubis.techaro.lol/docs/admin/policies',
  ],
  cure: `${CLOUDFLARE_CURE}\n\n${ANUBIS_CURE}`,
  judge(evidence) {
    const answered = exchangesWithHost(evidence).filter(({ exchange }) => exchange.status !== null);
    if (answered.length === 0) return null;
    const challenged = answered.flatMap(({ name, exchange }) => {
      const challenge = challengeOf(exchange);
      return challenge === null ? [] : [{ name, exchange, by: challenge.by }];
    });
    if (challenged.length === 0) return pass('No answer is a challenge page.');
    const by = challenged.find((each) => each.by !== null)?.by ?? null;
    const page = by === null ? 'A challenge page' : `A challenge page of ${by}`;
    const named = nameRequests(
      challenged.map(({ exchange }) => exchange),
      answered.map(({ exchange }) => exchange),
      evidence,
    );
    if (challenged.every(({ name }) => PAGES.has(name))) return info(`${page} appears only on HTML pages: ${named}.`);
    const cure = by === 'Cloudflare' ? CLOUDFLARE_CURE : by === 'Anubis' ? ANUBIS_CURE : OTHER_PROXY_CURE;
    return fail(`${page} was sent instead of the answer to ${named}.`, cure);
  },
};

/** The paths of requests that a cure may name. */
const PATHS: Partial<Record<RequestName, string>> = {
  config: '/api/v1/config',
  discovery: '/.well-known/nodeinfo',
  robots: '/robots.txt',
};

export const httpHeaderLines: Rule = {
  id: 'http-header-lines',
  worst: 'warn',
  title: 'Every header is one line that ends with CR LF',
  checks:
    'Whether each answer is valid for a strict parser. Warns when a header line is folded, has a space before its colon, or ends with LF alone: this check and the crawl then read the answer once more, leniently. An answer that a lenient parser cannot read either is reported by the rule on its document.',
  why: 'Browsers and curl accept such lines. Strict clients, such as programs on Node.js and some proxies, refuse the whole answer.',
  sources: ['RFC 9112 sections 2.2 and 5.2'],
  cure: headerLinesCure(storedDomain('loops.example'), '/api/v1/config'),
  judge(evidence) {
    const answered = completeAnswers(evidence);
    if (answered.length === 0) return null;
    const affected = answered.filter(({ exchange }) => exchange.strictError !== undefined);
    const [first] = affected;
    if (first === undefined) return pass('All header lines are valid.');
    const named = nameRequests(
      affected.map(({ exchange }) => exchange),
      answered.map(({ exchange }) => exchange),
      evidence,
    );
    const faults = new Set(affected.map(({ exchange }) => exchange.strictError));
    const fault = [
      ...(faults.has('malformed-header') ? ['a folded or malformed header line'] : []),
      ...(faults.has('bare-line-feed') ? ['a header line that ends with LF alone, not with CR LF'] : []),
    ].join(' or ');
    const path = affected.map(({ name }) => PATHS[name]).find((each) => each !== undefined) ?? '/';
    return warn(`The answer to ${named} has ${fault}.`, headerLinesCure(evidence.domain, path));
  },
};

const SLOW_MS = 2_000;
/** Time-out of the official app for the configuration; after it, the app reports the server as unavailable. */
const APP_TIMEOUT_MS = 5_000;

export const httpResponseTime: Rule = {
  id: 'http-response-time',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The server answers within two seconds',
  checks:
    'Measures each request from the start of the connection to the last byte. Fails when the configuration takes over 5 seconds; warns when any answer takes over 2.',
  why: 'Before sign-in, the official app waits 5 seconds for the configuration, then reports the server as unavailable. Directories and other servers give up after 5 to 10 seconds.',
  sources: ['The official app (2026): its request before sign-in'],
  cure: 'Find the slow part of the server: the load, the database, or busy PHP workers (`pm.max_children` reached in the log of PHP-FPM). In Laravel, missing caches cost the most:\n\n    php artisan optimize\n    php artisan queue:restart\n    tail /var/log/php*-fpm.log',
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const answered = completeAnswers(evidence);
    if (answered.length === 0) return null;
    const slow = answered.filter(({ exchange }) => exchange.ms > SLOW_MS).sort((a, b) => b.exchange.ms - a.exchange.ms);
    const { config } = evidence.answers;
    if (slow.length === 0) {
      const times = answered.map(({ exchange }) => exchange.ms).sort((a, b) => a - b);
      return pass(`The median answer took ${times[times.length >> 1]} ms, the slowest ${times.at(-1)} ms.`);
    }
    const named = slow.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} took ${formatSeconds(exchange.ms)}`,
    );
    const isTooLate = config !== null && config.status !== null && config.ms > APP_TIMEOUT_MS;
    const detail = `${listItems(named)}.`;
    return isTooLate
      ? fail(`${detail} The official app gives up after 5 s and reports the server as unavailable.`)
      : warn(detail);
  },
};

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

const redirectCureFor = (name: string) =>
  `In nginx, add a separate server block for port 80, then reload it:\n\n    server {\n        listen 80;\n        listen [::]:80;\n        server_name ${name};\n        return 301 https://$host$request_uri;\n    }`;

export const httpRedirect: Rule = {
  id: 'http-redirect',
  worst: 'warn',
  title: 'http:// redirects to https:// on the same host and path',
  checks:
    'Requests `/api/v1/config` on port 80. The answer should be 301 or 308 to the same host and path on https. Warns for an answer without a redirect, a temporary redirect, and a redirect to another host or path; reports a port 80 without an answer as info.',
  why: 'Typed names and old links use http. Pages and sessions sent over http can be read and changed in transit.',
  sources: ['RFC 9110 section 15.4', 'RFC 6797 section 7.2'],
  cure: redirectCureFor('loops.example'),
  judge({ answers, dns }) {
    const exchange = answers['config-http'];
    if (exchange === null || exchange.status === 429) return null;
    const { status, headers, url, failure } = exchange;
    const cure = redirectCureFor(dns.name);
    if (status === null) {
      return info(
        `Port 80 gives ${answerWords(exchange)}. Visitors who type the name without https:// may get no answer; the http-01 challenge for certificates needs port 80 too.`,
      );
    }
    if (failure !== null || status >= 500)
      return warn(`Port 80 gives ${answerWords(exchange)} instead of a redirect.`, cure);
    const { location } = headers;
    if (status < 300 || status >= 400 || location === undefined) {
      return warn(
        `Port 80 gives ${answerWords(exchange)}: ${status < 300 ? 'the site is served without TLS and' : 'it'} does not redirect to https.`,
        cure,
      );
    }
    const to = URL.parse(location, url);
    const from = new URL(url);
    if (to === null || to.protocol !== 'https:')
      return warn(`Port 80 redirects to ${showText(location)}, which is not https.`, cure);
    if (to.hostname === from.hostname && to.host !== from.host)
      return warn(`Port 80 redirects to port ${to.port} of the same name.`, cure);
    if (to.host !== from.host) return warn(`Port 80 redirects to another host, ${showText(to.host)}.`, cure);
    if (to.pathname !== from.pathname) {
      return warn(
        `Port 80 redirects ${showText(from.pathname)} to ${showText(to.pathname)}: old links lead to the wrong page.`,
        cure,
      );
    }
    if (status !== 301 && status !== 308)
      return warn(
        `Port 80 redirects with ${status}, a temporary redirect: clients do not cache it, and every visit starts without TLS.`,
        cure,
      );
    return pass(`http:// redirects to https:// (${status}).`);
  },
};

const HSTS_LINE = '    add_header Strict-Transport-Security "max-age=31536000" always;';
const HALF_YEAR_SECONDS = 15_768_000;

export const httpHsts: Rule = {
  id: 'http-hsts',
  worst: 'warn',
  title: 'Browsers are instructed to use only https (HSTS)',
  checks:
    'Reads `Strict-Transport-Security` of the home page, or of the configuration. Reports a missing header, or a `max-age` of less than half a year, as info; warns when it is malformed or has `max-age=0`.',
  why: 'Without it, every visit that starts with http:// can be intercepted before the redirect. With it, only the first one can.',
  sources: ['RFC 6797'],
  cure: `Set this in nginx, in the server block for port 443, then reload it. Start with a small number if https may be turned off again:\n\n${HSTS_LINE}`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { answers } = evidence;
    const answer = [answers.home, answers.config].find(
      (each) => each !== null && each.failure === null && (each.status ?? 500) < 500,
    );
    if (answer == null) return null;
    const value = answer.headers['strict-transport-security'];
    if (value === undefined)
      return info(`The header Strict-Transport-Security is missing. In nginx, this line adds it: ${HSTS_LINE.trim()}`);
    const text = String(value);
    const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$|,)/i.exec(text)?.[1];
    if (seconds === undefined)
      return warn(
        `Strict-Transport-Security is ${showText(text)}, which has no max-age in seconds: browsers ignore it.`,
      );
    if (Number(seconds) === 0) return warn('Strict-Transport-Security has max-age=0, so browsers delete it.');
    if (Number(seconds) < HALF_YEAR_SECONDS) {
      return info(
        `Strict-Transport-Security is valid for ${seconds} seconds; half a year (${HALF_YEAR_SECONDS}) or more is usual.`,
      );
    }
    return pass(`Strict-Transport-Security: ${showText(text)}.`);
  },
};

const wwwCureFor = (twin: string, name: string) =>
  `Make ${twin} redirect, or remove it from the DNS. In nginx:\n\n    server {\n        listen 443 ssl;\n        listen [::]:443 ssl;\n        server_name ${twin};\n        return 301 https://${name}$request_uri;\n    }`;

export const httpWww: Rule = {
  id: 'http-www',
  worst: 'fail',
  title: 'www and the bare name lead to the same site',
  checks:
    'Requests the home page of the same name with `www.`, or without it. That name should redirect to the checked name, or not exist. Warns for a copy of the site, and for a name that exists but does not answer; fails when the two redirect to each other. Another site, another redirect or an error is info.',
  why: 'An account belongs to one host name: `@ada@loops.example`. A copy under another name appears as a second server with mismatched links, sign-ins and accounts.',
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
    // Other rules report failures of the checked host, which likely affect both names.
    if (status === null && isCheckedHostBroken(failure, evidence)) return null;
    if (failure === 'forbidden-address')
      return warn(
        `${twin} has an address that is not public.`,
        `Remove ${twin} from the DNS, or give it the address of the server and make it redirect.`,
      );
    if (status === null)
      return warn(
        `${twin} is in the DNS, but gives ${answerWords(exchange)}.`,
        `${cure}\n\nThe certificate must include it too:\n\n    certbot --nginx -d ${dns.name} -d ${twin}`,
      );
    const to = redirectTargetOf(exchange);
    if (to !== null) {
      if (to.host !== domain)
        return to.host === twin ? null : info(`${twin} redirects to another host, ${showText(to.host)}.`);
      const isCircle = redirectTargetOf(answers.home)?.host === twin;
      if (isCircle)
        return fail(
          `${domain} redirects to ${twin}, and ${twin} to ${domain}, in an endless loop.`,
          `Choose one of the two to answer without a redirect. ${cure}`,
        );
      return pass(`${twin} redirects to ${domain}.`);
    }
    if (redirectTargetOf(answers.home)?.host === twin)
      return info(`${domain} redirects to ${twin}: accounts belong to the name in app.url.`);
    if (status < 200 || status >= 300) return info(`${twin} gives ${answerWords(exchange)}.`);
    // A home page that fails cannot be compared.
    if (answers.home?.failure !== null || (answers.home.status ?? 500) >= 500) return null;
    if (!isCopy(answers.home, exchange)) return info(`${twin} is a different site.`);
    return warn(`${twin} serves the same site as ${domain} instead of redirecting to it.`, cure);
  },
};

/** Whether the checked host fails too: its home page with this failure, or its TLS over either address family. */
function isCheckedHostBroken(failure: HttpFailure | null, { tls, answers }: Evidence): boolean {
  return answers.home?.failure === failure || tls?.handshakes.some((handshake) => handshake.failure !== null) === true;
}

/** Whether two home pages are the same. If their bodies differ, only the titles count: form tokens and times change with every request. */
function isCopy(home: CheckExchange | null, twin: CheckExchange): boolean {
  if (home === null || home.status !== twin.status) return false;
  if (Buffer.compare(home.body, twin.body) === 0) return true;
  return isHtml(home) && isHtml(twin) && titleOf(home) !== null && titleOf(home) === titleOf(twin);
}

function titleOf({ body }: CheckExchange): string | null {
  const [, title] = /<title[^>]*>([^<]{1,300})/i.exec(new TextDecoder().decode(body.subarray(0, 16_384))) ?? [];
  return title?.trim() ?? null;
}

const HTTP2_LINE = '    http2 on;';

const httpHttp2: Rule = {
  id: 'http-http2',
  worst: 'info',
  title: 'The server speaks HTTP/2',
  checks: 'Offers `h2` and `http/1.1`. Reports a server that selects `http/1.1` as info.',
  why: 'An app that loads a feed sends many requests at once. Over HTTP/2 they share one connection; over HTTP/1.1 they wait for each other.',
  sources: ['RFC 9113'],
  cure: `Set this in nginx 1.25.1 or newer (in older versions, \`http2\` at the end of the \`listen\` line), then reload it:\n\n${HTTP2_LINE}`,
  judge({ tls }) {
    const alpn = tls?.handshakes.find((handshake) => handshake.failure === null)?.alpn ?? null;
    if (alpn === null) return null;
    if (alpn === 'h2') return pass('The server speaks HTTP/2.');
    return info('The server speaks only HTTP/1.1. In nginx 1.25.1 or newer, `http2 on;` enables HTTP/2.');
  },
};

const GZIP_LINES =
  '    gzip on;\n    gzip_vary on;\n    gzip_proxied any;\n    gzip_min_length 1000;\n    gzip_types application/json application/activity+json application/jrd+json application/javascript text/css image/svg+xml;';
/** Compression of a smaller body does not save a packet. */
const MIN_BYTES = 1_000;
const LARGE_BYTES = 10_000;

export const httpCompression: Rule = {
  id: 'http-compression',
  worst: 'warn',
  title: 'JSON is compressed',
  checks:
    'Every request accepts gzip, deflate and zstd. Reports uncompressed JSON answers of 1,000 bytes or more as info, and warns from 10,000 bytes.',
  why: 'Compression reduces JSON to about a fifth. Apps load feeds of tens of kilobytes over mobile networks.',
  sources: ['RFC 9110 section 8.4'],
  cure: `Set this in nginx, in the \`http\` block, then reload it; without \`gzip_types\`, nginx compresses only HTML:\n\n${GZIP_LINES}`,
  judge(evidence) {
    const json = completeAnswers(evidence).filter(({ exchange }) => /[/+]json$/.test(contentTypeOf(exchange) ?? ''));
    if (json.length === 0) return null;
    // The `config-…` requests are variants of `config`.
    const uncompressed = json.filter(
      ({ name, exchange }) =>
        exchange.headers['content-encoding'] === undefined &&
        exchange.body.length >= MIN_BYTES &&
        !name.startsWith('config-'),
    );
    if (uncompressed.length === 0) {
      const isAnyCompressed = json.some(({ exchange }) => exchange.headers['content-encoding'] !== undefined);
      return isAnyCompressed ? pass('JSON is compressed.') : null;
    }
    const named = uncompressed.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.body.length} bytes)`,
    );
    const detail = `Not compressed: ${listItems(named)}.`;
    return uncompressed.some(({ exchange }) => exchange.body.length >= LARGE_BYTES) ? warn(detail) : info(detail);
  },
};

/** Time within which clocks, and the seconds that a check takes, may differ. */
const TOLERANCE_MS = 2 * MINUTE_MS;
/** Servers refuse signatures that are older, or further in the future. */
const SIGNATURE_MS = HOUR_MS;

const httpClock: Rule = {
  id: 'http-clock',
  worst: 'fail',
  title: 'The clock of the server is right',
  checks:
    'Compares the `Date` header of the answers with the clock of the checking machine. Warns from two minutes; fails from one hour. Answers with `Age` are copies of a cache, and do not count.',
  why: 'Requests between servers are signed with their time, and signatures more than an hour off are refused: nobody receives posts. Sign-ins and tokens expire at wrong times.',
  sources: ['RFC 9110 section 6.6.1', 'RFC 9421 section 3.2'],
  cure: 'Let the machine set its clock from the network:\n\n    sudo timedatectl set-ntp true\n\nIf the checking machine itself may be wrong, compare both clocks with `date -u`.',
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const offsets = exchangesWithHost(evidence).flatMap(({ exchange }) => offsetOf(exchange, evidence) ?? []);
    if (offsets.length === 0) return null;
    const least = Math.min(...offsets.map(Math.abs));
    if (least < TOLERANCE_MS) return pass('Its clock agrees with that of the checking machine.');
    const isAhead = offsets.some((offset) => offset === least);
    const minutes = Math.round(least / MINUTE_MS);
    const detail = `Its clock is ${minutes} minutes ${isAhead ? 'ahead of' : 'behind'} that of the checking machine.`;
    return least < SIGNATURE_MS ? warn(detail) : fail(`${detail} Other servers refuse its signatures.`);
  },
};

/** How far the clock of a server is ahead, in milliseconds; null for an answer that does not show it. */
function offsetOf({ headers }: CheckExchange, { at }: Evidence): number | null {
  const sent = Date.parse(headers.date ?? '');
  return Number.isNaN(sent) || headers.age !== undefined ? null : sent - at;
}

export const httpRules: readonly Rule[] = [
  httpHome,
  httpChallenge,
  httpHeaderLines,
  httpResponseTime,
  httpRedirect,
  httpHsts,
  httpWww,
  httpHttp2,
  httpCompression,
  httpStorage,
  httpUploadLimit,
  httpWebApp,
  httpClock,
];
