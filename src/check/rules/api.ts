import { parseRetryAfter } from '../../http/failure.ts';
import { property } from '../../identify/field-reader.ts';
import { originOf } from '../../model/domain/domain.ts';
import { answerWords, challengeOf, isHtml, isPage, jsonOf, ownAnswers, redirectsTo, requestWords } from '../answers.ts';
import { answerCure, rateLimitWords } from '../cures.ts';
import type { Exchange, RequestName } from '../evidence.ts';
import { fail, info, nameAll, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail, apiServesWebApp, isService } from '../server-state.ts';

/** No rule of their own tells why these have no answer. */
const JUDGED: ReadonlySet<RequestName> = new Set<RequestName>([
  'unknown-page',
  'unknown-api-route',
  'self-without-token',
  'unknown-video',
  'authorize',
  'token',
  'revoke',
  'apps',
  'webfinger-unknown',
]);

/** Whether each request is answered, and to the end. */
const apiWholeAnswers: Rule = {
  id: 'api-whole-answers',
  area: 'api',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every request is answered, and to the end',
  checks:
    'Fails when a harmless request to the API, to OAuth or to an unknown address gets no answer, one that is no HTTP, or one that ends in the middle, while others work. The home page, documents and actors have rules of their own.',
  why: 'An app that waits for an answer which never comes shows nothing, or hangs.',
  sources: ['RFC 9112 sections 6.3 and 9.5'],
  cure: 'See what the web server says of these requests, and whether PHP ends in the middle of them (memory, time, a crash):\n\n    tail /var/log/nginx/error.log\n    tail -n 50 storage/logs/laravel.log\n    dmesg | grep -i -E "php|oom"\n\nA firewall for web applications that closes connections to /oauth/ or /api/ looks the same: let these paths through.',
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const asked = ownAnswers(evidence).filter(({ name }) => JUDGED.has(name));
    if (asked.length === 0) return null;
    const broken = asked.filter(({ exchange }) => exchange.failure !== null);
    if (broken.length === 0) return pass(`${asked.length} requests were answered to the end.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))}: ${answerWords(exchange)}`,
    );
    return fail(`${nameAll(named)}.`, apiWholeAnswers.cure);
  },
};

/** Rules of their own tell what is wrong with these. */
const JUDGED_ELSEWHERE: ReadonlySet<RequestName> = new Set<RequestName>([
  'robots',
  'config',
  'config-ipv4',
  'config-ipv6',
  'discovery',
  'nodeinfo',
]);

const LOG = '    tail -n 50 storage/logs/laravel.log';
const OF_STATUS: Readonly<Record<number, string>> = {
  502: 'The web server gets no answer from PHP (or Octane): start it, and see that the socket in `fastcgi_pass` or `proxy_pass` is the right one.\n\n    systemctl status "php*-fpm"\n    tail /var/log/nginx/error.log',
  503: 'Loops is in maintenance mode, or all workers are taken. When the work is done:\n\n    php artisan up',
  504: 'PHP takes longer than the web server waits: see what is slow, and whether the database answers.\n\n    tail /var/log/nginx/error.log\n    tail -n 50 storage/logs/laravel.log',
};
const SERVER_ERRORS_CURE = `The log of Loops says what went wrong:\n\n${LOG}`;

/** Whether requests end in server errors. */
export const apiServerErrors: Rule = {
  id: 'api-server-errors',
  area: 'api',
  worst: 'fail',
  cureFor: 'loops',
  title: 'No request ends in a server error',
  checks:
    'Fails when a harmless request is answered with a status of 500 or above. The configuration, NodeInfo and robots.txt have rules of their own, and so has a server that is down altogether.',
  why: 'A server error is one that the server did not foresee. Apps show it as "something went wrong", and other servers put off what they had to deliver.',
  sources: ['RFC 9110 section 15.6'],
  cure: `${SERVER_ERRORS_CURE}\n\n502 is PHP that does not run, 503 is maintenance (\`php artisan up\`), 504 is PHP that is too slow.`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const answered = ownAnswers(evidence).filter(
      ({ name, exchange }) => exchange.status !== null && !JUDGED_ELSEWHERE.has(name),
    );
    if (answered.length === 0) return null;
    const broken = answered.filter(({ exchange }) => (exchange.status ?? 0) >= 500 && challengeOf(exchange) === null);
    const [first] = broken;
    if (first === undefined) return pass(`${answered.length} harmless requests, and no server error.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.status})`,
    );
    return fail(`Server errors: ${nameAll(named)}.`, OF_STATUS[first.exchange.status ?? 500] ?? SERVER_ERRORS_CURE);
  },
};

/** Marks of the pages that Laravel shows to developers, of Ignition and of its own. */
const PAGE_MARKS =
  /laravel-exceptions-renderer|\bIgnition\b|window\.data\s*=\s*\{\s*"?report|Whoops\\|class="sf-dump|Illuminate\\(?:\w+\\)+\w+.{0,400}\.php:?\d*/s;
const READ_BYTES = 65_536;

/** Whether errors show the inside of the server. */
export const apiDebug: Rule = {
  id: 'api-debug',
  area: 'api',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Errors do not show the inside of the server',
  checks:
    'Looks in every answer for what Laravel shows to developers (`APP_DEBUG=true`): `exception`, `file`, `line` and `trace` in JSON, or a page with a stack trace. Fails for one.',
  why: 'Such an answer tells everybody paths, queries and versions, and its page environment variables: passwords, and the key that sessions are signed with.',
  sources: ['Laravel documentation: Configuration, Debug Mode', 'CWE-209', 'CWE-489'],
  cure: 'In the `.env` of Loops:\n\n    APP_ENV=production\n    APP_DEBUG=false\n\nThen let Loops read it anew:\n\n    php artisan config:cache\n\nWhoever saw such a page may have seen keys and passwords: change those of the database and of mail, and `APP_KEY` if it stood there.',
  judge(evidence) {
    const answered = ownAnswers(evidence).filter(
      ({ exchange }) => exchange.status !== null && exchange.failure === null,
    );
    if (answered.length === 0) return null;
    const leaks = answered.filter(({ exchange }) => showsInside(exchange));
    if (leaks.length === 0) return pass('No answer holds a stack trace.');
    const named = leaks.map(({ exchange }) => requestWords(exchange, originOf(evidence.domain)));
    return fail(
      `Debug mode is on (APP_DEBUG): these answers show file names and a stack trace: ${nameAll(named)}.`,
      apiDebug.cure,
    );
  },
};

function showsInside(exchange: Exchange): boolean {
  const json = jsonOf(exchange);
  if (json !== null)
    return (
      typeof property(json, 'exception') === 'string' &&
      (property(json, 'trace') !== undefined || property(json, 'file') !== undefined)
    );
  if (!isHtml(exchange)) return false;
  return PAGE_MARKS.test(new TextDecoder().decode(exchange.body.subarray(0, READ_BYTES)));
}

const PASS_ON =
  'Let the web server pass all of /api/ to Loops, and no error page of its own in between. In nginx, every address falls back to PHP, and not to a file of the web app:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;';

/** Whether the API says of what it does not have that it is not there. */
export const apiUnknownRoute: Rule = {
  id: 'api-unknown-route',
  area: 'api',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Unknown API addresses are answered 404 in JSON',
  checks:
    'Asks for an address under `/api/v1/` whose name is drawn at random. It should answer 404 (or another 4xx) in JSON. Warns for 200, for a redirect and for HTML.',
  why: 'Apps try what a server can do by asking. 200 with a page tells them that it is there, and then they fail over what they cannot read.',
  sources: ['RFC 9110 section 15.5.5', 'Specification section 4: bodies are JSON'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = evidence.answers['unknown-api-route'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
    const result = `An API address that there is not gives ${answerWords(exchange)}`;
    if (apiServesWebApp(evidence)) return warn(`${result}: the web app, as if it were there.`, PASS_ON);
    if (status < 400) return warn(`${result}.`, PASS_ON);
    if (jsonOf(exchange) !== null) return pass(`${result}.`);
    return warn(
      `${result}${isHtml(exchange) ? ': an error page that is not of Loops' : ', which is not JSON'}.`,
      PASS_ON,
    );
  },
};

/** Whether a video that there is not is answered as such. */
export const apiUnknownVideo: Rule = {
  id: 'api-unknown-video',
  area: 'api',
  worst: 'warn',
  title: 'An unknown video is answered 404 in JSON',
  checks: 'Asks `GET /api/v1/video/0`, an id that no video has, without a token. Warns for anything but 404 in JSON.',
  why: 'Videos are deleted. An app shows "this video is gone" for 404, and an error, or nothing for ever, for anything else.',
  sources: ['Specification section 4, endpoint 6', 'RFC 9110 section 15.5.5'],
  cure: 'Let the web server show no error page of its own in place of the answers of Loops, and let it pass /api/ on whole; in nginx:\n\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;',
  judge(evidence) {
    const exchange = evidence.answers['unknown-video'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || apiServesWebApp(evidence) || challengeOf(exchange) !== null) return null;
    const result = `GET /api/v1/video/0 gives ${answerWords(exchange)}`;
    if ((status === 404 || status === 410) && jsonOf(exchange) !== null) return pass(`${result}.`);
    if (status === 401 || status === 403) {
      return warn(
        `${result}: videos are to be seen without a token.`,
        answerCure({ kind: 'status', status }, evidence.domain, '/api/v1/video/0') ?? apiUnknownVideo.cure,
      );
    }
    return warn(`${result}, and not 404 in JSON.`, apiUnknownVideo.cure);
  },
};

/** Whether what needs a token is refused without one. */
export const apiSelf: Rule = {
  id: 'api-self',
  area: 'api',
  worst: 'fail',
  cureFor: 'loops',
  title: 'What needs a token is refused without one, in JSON',
  checks:
    'Asks `GET /api/v1/account/info/self` without a token. It should answer 401 in JSON. Fails for data, and for 404; warns for a redirect, a page or another status.',
  why: 'The 401 is how an app learns that it has to sign in again. A redirect to a page of sign-in leaves it with HTML that it cannot read.',
  sources: ['Specification section 4, endpoint 5', 'RFC 6750 section 3.1', 'RFC 9110 section 15.5.2'],
  cure: 'Let the web server pass the request to Loops with all its headers, `Accept` and `Authorization` among them, and put no login of its own before /api/. In nginx with PHP-FPM:\n\n    auth_basic off;\n    fastcgi_pass_header Authorization;\n    fastcgi_intercept_errors off;',
  judge(evidence) {
    const exchange = evidence.answers['self-without-token'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || apiServesWebApp(evidence) || challengeOf(exchange) !== null) return null;
    const json = jsonOf(exchange);
    const result = `GET /api/v1/account/info/self without a token gives ${answerWords(exchange)}`;
    if (status < 300 && json !== null) {
      return fail(
        `${result}: an account, to anybody.`,
        'Something in front of Loops adds a token to requests, or answers from a cache. Take `Authorization` out of what the proxy sets, and never cache /api/:\n\n    proxy_set_header Authorization $http_authorization;\n    proxy_no_cache $http_authorization;',
      );
    }
    if (status === 404) return fail(`${result}: apps cannot learn who has signed in.`, apiSelf.cure);
    if (status === 401 && json !== null) return pass(`${result}.`);
    return warn(`${result}, and not 401 in JSON.`, apiSelf.cure);
  },
};

/** Whether pages that there are not are told from those that there are. */
export const apiUnknownPage: Rule = {
  id: 'api-unknown-page',
  area: 'api',
  worst: 'info',
  title: 'Unknown pages are answered 404, or with the web app',
  checks:
    'Asks for a page whose name is drawn at random. Passes 404, and 200 with the web app, which is how Loops answers; notes anything else.',
  why: 'Programs look for feeds, `security.txt` and the like by asking for them. Where every address answers 200, they cannot tell whether there is one; a redirect or a document for every name misleads them further.',
  sources: ['RFC 9110 section 15.5.5'],
  cure: 'Let the web server pass what it does not know to Loops, and redirect nothing itself. In nginx:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
  judge({ answers }) {
    const exchange = answers['unknown-page'];
    if (exchange === null || exchange.status === null || exchange.failure !== null) return null;
    if (exchange.status === 429 || exchange.status >= 500 || challengeOf(exchange) !== null) return null;
    // Where the home page is redirected too, everything is, and that page is what to look at.
    if (redirectsTo(exchange) !== null && redirectsTo(answers.home) !== null) return null;
    if (exchange.status >= 400) return pass(`A page that there is not gives ${answerWords(exchange)}.`);
    const result = `A page that there is not gives ${answerWords(exchange)}`;
    return exchange.status === 200 && isPage(exchange)
      ? pass(`${result}: the web app, as Loops does it.`)
      : info(`${result}.`);
  },
};

/** One page of an app asks for so many things. */
const MIN_LIMIT = 30;
const LONGEST_WAIT_MS = 86_400_000;

/** Whether limits are told in a way that a client can keep to. */
export const apiRateLimit: Rule = {
  id: 'api-rate-limit',
  area: 'api',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Rate limits are told in a way that clients can keep to',
  checks:
    'Reads `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `Retry-After` wherever they come. Warns for values that are none, more left than there is, a limit of under 30, a 429 without a `Retry-After` of seconds or a date, and one to the requests that identify a server; notes any other 429.',
  why: 'A client that knows how long to wait waits. One that does not comes again at once, or gives the server up.',
  sources: ['RFC 6585 section 4', 'RFC 9110 section 10.2.3'],
  cure: 'Where the limit is that of Loops, leave its headers as they are; where a proxy adds its own, let it say so in whole seconds. In the server block of nginx, a 429 of its own gets the header by a location for it:\n\n    limit_req_status 429;\n    error_page 429 @limited;\n    location @limited { add_header Retry-After 60 always; return 429; }\n\nAnd let Loops see the address of each visitor, or everybody shares one limit. Behind another proxy, in nginx:\n\n    set_real_ip_from ADDRESS-OF-THE-PROXY;\n    real_ip_header X-Forwarded-For;',
  judge(evidence) {
    // That the identification was refused is told by another rule; that nobody can tell for how long is told here.
    if (evidence.visit.reason === 'rate-limited') {
      if (evidence.visit.retryAfterMs !== null) return null;
      return warn(
        'The requests that identify the server were answered 429, without a Retry-After that can be read.',
        apiRateLimit.cure,
      );
    }
    const answered = ownAnswers(evidence).filter(({ exchange }) => exchange.status !== null);
    if (answered.length === 0) return null;
    const problems = new Set(
      answered.flatMap(({ exchange }) => problemsOf(exchange, originOf(evidence.domain), evidence.at)),
    );
    if (problems.size > 0) return warn(`${nameAll([...problems])}.`, apiRateLimit.cure);
    const limited = answered.find(({ exchange }) => exchange.status === 429);
    if (limited !== undefined) {
      return info(
        `${requestWords(limited.exchange, originOf(evidence.domain))} was answered 429. ${rateLimitWords(limited.exchange, evidence)} What was not asked is not judged.`,
      );
    }
    const limits = answered.flatMap(({ exchange }) => headerOf(exchange, 'x-ratelimit-limit') ?? []);
    return pass(
      limits.length === 0
        ? 'No answer tells of a rate limit.'
        : `A limit of ${showText(limits[0] ?? '')} requests is told.`,
    );
  },
};

function problemsOf(exchange: Exchange, origin: string, at: number): string[] {
  const problems: string[] = [];
  const limit = headerOf(exchange, 'x-ratelimit-limit');
  const remaining = headerOf(exchange, 'x-ratelimit-remaining');
  for (const [name, value] of [
    ['X-RateLimit-Limit', limit],
    ['X-RateLimit-Remaining', remaining],
  ] as const) {
    if (value !== null && !/^\d+$/.test(value))
      problems.push(`${name} is "${showText(value)}", which is no number of requests`);
  }
  if (limit !== null && /^\d+$/.test(limit)) {
    if (Number(limit) < MIN_LIMIT)
      problems.push(`X-RateLimit-Limit is ${showText(limit)}, and one page of an app asks for more`);
    if (remaining !== null && Number(remaining) > Number(limit))
      problems.push(
        `X-RateLimit-Remaining (${showText(remaining)}) is more than X-RateLimit-Limit (${showText(limit)})`,
      );
  }
  const retryAfter = headerOf(exchange, 'retry-after');
  if (retryAfter === null) {
    if (exchange.status === 429)
      problems.push(`${requestWords(exchange, origin)} was answered 429 without Retry-After`);
    return problems;
  }
  const waitMs = parseRetryAfter(retryAfter, at);
  if (waitMs === null)
    problems.push(`Retry-After is "${showText(retryAfter)}", neither a number of seconds nor a date`);
  else if (waitMs > LONGEST_WAIT_MS)
    problems.push(`Retry-After asks for a wait of ${Math.round(waitMs / LONGEST_WAIT_MS)} days`);
  return problems;
}

/** The text of a header; null when it was not sent. */
function headerOf({ headers }: Exchange, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value).trim();
}

/** The rules of the API, in the order of a report. */
export const apiRules: readonly Rule[] = [
  apiWholeAnswers,
  apiServerErrors,
  apiDebug,
  apiUnknownRoute,
  apiUnknownVideo,
  apiSelf,
  apiRateLimit,
  apiUnknownPage,
];
