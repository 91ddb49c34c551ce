import { parseRetryAfter } from '../../http/failure.ts';
import { originOf } from '../../model/domain/domain.ts';
import { DAY_MS, HOUR_MS } from '../../model/time.ts';
import {
  answerWords,
  challengeOf,
  completeAnswers,
  exchangesWithHost,
  isHtml,
  isPage,
  jsonOf,
  redirectTargetOf,
  requestWords,
} from '../answers.ts';
import { answerCure, PASS_TO_LOOPS_LINES, rateLimitWords } from '../cures.ts';
import type { CheckExchange, RequestName } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showText, warn } from '../rule.ts';
import { causeInAnswer, revealsInternals } from '../server-error.ts';
import { allAnswersFail, judgeableAnswer } from '../server-state.ts';

/** The requests for which only `api-whole-answers` reports a missing answer. */
const WHOLE_ANSWER_REQUESTS: ReadonlySet<RequestName> = new Set<RequestName>([
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

const apiWholeAnswers: Rule = {
  id: 'api-whole-answers',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every request gets a complete answer',
  checks:
    'Fails when a harmless request to the API, to OAuth, to an unknown path or for an unknown account gets no answer, an invalid or an incomplete one, while others work. The home page, documents and actors have rules of their own.',
  why: 'An app that waits for a missing answer shows nothing, or hangs.',
  sources: ['RFC 9112 sections 6.3 and 9.5'],
  cure: 'Check the log of the web server for these requests, and whether PHP aborts them (memory, time, a crash):\n\n    tail /var/log/nginx/error.log\n    tail -n 50 storage/logs/laravel.log\n    dmesg | grep -i -E "php|oom"\n\nA firewall for web applications that closes connections to /oauth/ or /api/ looks the same: let these paths through.',
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const requested = exchangesWithHost(evidence).filter(({ name }) => WHOLE_ANSWER_REQUESTS.has(name));
    if (requested.length === 0) return null;
    const broken = requested.filter(({ exchange }) => exchange.failure !== null);
    if (broken.length === 0) return pass(`${requested.length} requests got a complete answer.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))}: ${answerWords(exchange)}`,
    );
    return fail(`${listItems(named)}.`);
  },
};

/** Requests whose server errors are reported by rules of their own. */
const SERVER_ERRORS_IN_OTHER_RULES: ReadonlySet<RequestName> = new Set<RequestName>([
  'robots',
  'config',
  'config-ipv4',
  'config-ipv6',
  'discovery',
  'nodeinfo',
  'inbox',
]);

const SERVER_ERRORS_CURE = 'The log of Loops contains the cause:\n\n    tail -n 50 storage/logs/laravel.log';

/** Requests that may fail when the keys of OAuth are missing. */
const NEED_OAUTH_KEYS: ReadonlySet<RequestName> = new Set<RequestName>([
  'authorize',
  'token',
  'revoke',
  'apps',
  'self-without-token',
]);
const OAUTH_KEYS_CURE =
  'Create the keys; existing ones are kept. The user of the web server must be able to read them:\n\n    php artisan passport:keys\n    sudo chown www-data:www-data storage/oauth-*.key\n    sudo chmod 600 storage/oauth-*.key\n\nIf `PASSPORT_PRIVATE_KEY` and `PASSPORT_PUBLIC_KEY` are set in `.env`, they are used instead of these files and must be complete.';

export const apiServerErrors: Rule = {
  id: 'api-server-errors',
  worst: 'fail',
  cureFor: 'loops',
  title: 'No request ends in a server error',
  checks:
    'Fails when a harmless request is answered with a status of 500 or above. The configuration, NodeInfo 2.0, robots.txt and the shared inbox have rules of their own, and so have challenge pages and a server that is down altogether.',
  why: 'Apps show a server error as "something went wrong", and other servers postpone their deliveries.',
  sources: ['RFC 9110 section 15.6'],
  cure: `${SERVER_ERRORS_CURE}\n\nUsually 502 means that PHP does not run, 503 that Loops is in maintenance mode (\`php artisan up\`) or PHP is busy, 504 that PHP is too slow. If only OAuth fails, its keys are probably missing:\n\n    php artisan passport:keys`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const answered = exchangesWithHost(evidence).filter(
      ({ name, exchange }) =>
        exchange.status !== null && !SERVER_ERRORS_IN_OTHER_RULES.has(name) && challengeOf(exchange) === null,
    );
    if (answered.length === 0) return null;
    const broken = answered.filter(({ exchange }) => (exchange.status ?? 0) >= 500);
    const [first] = broken;
    if (first === undefined) return pass(`${answered.length} harmless requests, and no server error.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.status})`,
    );
    const detail = `Server errors: ${listItems(named)}.`;
    const cause = causeInAnswer(first.exchange);
    if (cause?.cure != null) return fail(`${detail} ${cause.detail}`, cause.cure);
    if (lacksOAuthKeys(broken))
      return fail(
        `${detail} All of them need the keys of OAuth, which are probably missing or unreadable.`,
        OAUTH_KEYS_CURE,
      );
    return fail(
      cause === null ? detail : `${detail} ${cause.detail}`,
      answerCure({ kind: 'status', status: first.exchange.status ?? 500 }, evidence.domain, '/') ?? SERVER_ERRORS_CURE,
    );
  },
};

/** Whether the authorization page and the token endpoint answer 500, and every broken request needs the keys of OAuth. */
function lacksOAuthKeys(broken: readonly { name: RequestName; exchange: CheckExchange }[]): boolean {
  const failing = new Map(broken.map(({ name, exchange }) => [name, exchange.status]));
  const isOnlyOAuth = [...failing.keys()].every((name) => NEED_OAUTH_KEYS.has(name));
  return isOnlyOAuth && failing.get('authorize') === 500 && failing.get('token') === 500;
}

export const apiDebug: Rule = {
  id: 'api-debug',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Error answers reveal no internals of the server',
  checks:
    'Searches every complete answer for the debug output of Laravel (`APP_DEBUG=true`): `exception` with `file` or `trace` in JSON, or an error page of its debug mode. Fails if it finds one.',
  why: 'Such an answer reveals paths, queries and versions, and the page reveals environment variables: passwords, and the key that signs sessions.',
  sources: ['Laravel documentation: Configuration, Debug Mode', 'CWE-209', 'CWE-489'],
  cure: 'In the `.env` of Loops:\n\n    APP_ENV=production\n    APP_DEBUG=false\n\nThen make Loops reload it:\n\n    php artisan config:cache\n\nThe page may have revealed keys and passwords: change those of the database and of mail, and `APP_KEY` if it was shown.',
  judge(evidence) {
    const answered = completeAnswers(evidence);
    if (answered.length === 0) return null;
    const leaks = answered.filter(({ exchange }) => revealsInternals(exchange));
    if (leaks.length === 0) return pass('No answer holds debug output.');
    const named = leaks.map(({ exchange }) => requestWords(exchange, originOf(evidence.domain)));
    return fail(`Debug mode is on (APP_DEBUG): these answers show file names or a stack trace: ${listItems(named)}.`);
  },
};

export const apiUnknownRoute: Rule = {
  id: 'api-unknown-route',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Unknown API paths are answered 404 in JSON',
  checks:
    'Requests a random path under `/api/v1/`. It should answer 404 (or another 4xx) in JSON. Warns for a status below 400, and for HTML or another body that is not JSON. Judges no 429, server error or challenge page, and no redirect or refusal that config gets too.',
  why: 'Apps detect features by requesting them. 200 with a page says that the feature exists, and the app then fails to parse the page.',
  sources: ['RFC 9110 section 15.5.5', 'Specification section 4: bodies are JSON'],
  cure: `Make the web server pass all of /api/ to Loops, without error pages of its own. In nginx, every path must fall back to PHP, not to a file of the web app:\n\n${PASS_TO_LOOPS_LINES}`,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'unknown-api-route');
    if (exchange === null) return null;
    const { status } = exchange;
    const result = `An unknown API path gives ${answerWords(exchange)}`;
    if (status === 200 && isHtml(exchange)) return warn(`${result}: the web app, as if the path existed.`);
    if (status < 400) return warn(`${result}.`);
    if (jsonOf(exchange) !== null) return pass(`${result}.`);
    return warn(
      `${result}${isHtml(exchange) ? ': an error page of a program other than Loops' : ', which is not JSON'}.`,
    );
  },
};

export const apiUnknownVideo: Rule = {
  id: 'api-unknown-video',
  worst: 'warn',
  title: 'An unknown video is answered 404 in JSON',
  checks:
    'Requests `GET /api/v1/video/0`, an id that no video has, without a token. Warns for anything but 404 or 410 in JSON, except what other rules report: 429, a server error, a challenge page, the web app on every API path, a redirect or refusal that config gets too.',
  why: 'Videos get deleted. An app shows "this video is gone" for 404, and an error or an endless spinner for anything else.',
  sources: ['Specification section 4, endpoint 6', 'RFC 9110 section 15.5.5'],
  cure: 'Make the web server pass all of /api/ to Loops, and not replace its answers with error pages; in nginx:\n\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;',
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'unknown-video');
    if (exchange === null) return null;
    const { status } = exchange;
    const result = `GET /api/v1/video/0 gives ${answerWords(exchange)}`;
    if ((status === 404 || status === 410) && jsonOf(exchange) !== null) return pass(`${result}.`);
    if (status === 401 || status === 403) {
      return warn(
        `${result}: videos must be visible without a token.`,
        answerCure({ kind: 'status', status }, evidence.domain, '/api/v1/video/0'),
      );
    }
    return warn(`${result}, and not 404 in JSON.`);
  },
};

export const apiSelf: Rule = {
  id: 'api-self',
  worst: 'fail',
  cureFor: 'loops',
  title: 'A request that needs a token is refused without one, in JSON',
  checks:
    'Requests `GET /api/v1/account/info/self` without a token. It should answer 401 in JSON. Fails for data, and for 404; warns for a redirect, a page or another status. Other rules report 429, a server error, a challenge page, the web app on every API path, and a redirect or refusal that config gets too.',
  why: 'The 401 is how an app learns that it must sign in again. It cannot parse the HTML of a sign-in page.',
  sources: ['Specification section 4, endpoint 5', 'RFC 6750 section 3.1', 'RFC 9110 section 15.5.2'],
  cure: 'Make the web server pass the request to Loops with all its headers, require no login of its own for /api/, and not replace answers with error pages. In nginx:\n\n    auth_basic off;\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;',
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'self-without-token');
    if (exchange === null) return null;
    const { status } = exchange;
    const json = jsonOf(exchange);
    const result = `GET /api/v1/account/info/self without a token gives ${answerWords(exchange)}`;
    if (status < 300 && json !== null) {
      return fail(
        `${result}: data for everyone, instead of a refusal.`,
        'Something in front of Loops adds a token to requests, or answers from a cache. Remove `Authorization` from the headers that the proxy sets, and never cache /api/:\n\n    proxy_set_header Authorization $http_authorization;\n    proxy_no_cache $http_authorization;',
      );
    }
    if (status === 404) return fail(`${result}: apps cannot determine the signed-in account.`);
    if (status === 401 && json !== null) return pass(`${result}.`);
    return warn(`${result}, and not 401 in JSON.`);
  },
};

export const apiUnknownPage: Rule = {
  id: 'api-unknown-page',
  worst: 'info',
  title: 'Unknown pages are answered 404, or with the web app',
  checks:
    'Requests a page with a random name. Passes a 4xx status, and 200 with an HTML page, because Loops answers with its web app; reports anything else as info. Judges no 429, server error or challenge page, and no redirect if the home page redirects too.',
  why: 'Programs detect feeds, `security.txt` and the like by requesting them. If every path answers 200, a redirect or a document, they find files that do not exist.',
  sources: ['RFC 9110 section 15.5.5'],
  cure: 'Make the web server pass unknown paths to Loops, and redirect nothing itself. In nginx:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
  judge({ answers }) {
    const exchange = answers['unknown-page'];
    if (exchange === null || exchange.status === null || exchange.failure !== null) return null;
    if (exchange.status === 429 || exchange.status >= 500 || challengeOf(exchange) !== null) return null;
    // If the home page redirects too, the whole site probably does; `http-home` or `config-redirect` reports it.
    if (redirectTargetOf(exchange) !== null && redirectTargetOf(answers.home) !== null) return null;
    if (exchange.status >= 400) return pass(`An unknown page gives ${answerWords(exchange)}.`);
    const result = `An unknown page gives ${answerWords(exchange)}`;
    return exchange.status === 200 && isPage(exchange)
      ? pass(`${result}: the web app, as usual for Loops.`)
      : info(`${result}.`);
  },
};

/** The number of requests that one screen of an app may need. */
const MIN_LIMIT = 30;

export const apiRateLimit: Rule = {
  id: 'api-rate-limit',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Rate limits are announced in a form that clients can follow',
  checks:
    'Reads `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `Retry-After` of every answer. Warns for invalid values, a remainder above the limit, a limit under 30, a `Retry-After` that is invalid or longer than a day, and a 429 without one; reports any other 429 as info. If the identification was answered 429, judges only whether that had a readable `Retry-After`.',
  why: 'A client that knows how long to wait does so. A client that does not know retries at once or gives up.',
  sources: ['RFC 6585 section 4', 'RFC 9110 section 10.2.3'],
  cure: 'If the limit is that of Loops, leave its headers unchanged, and raise a low limit in `.env`, then run `php artisan config:cache`:\n\n    LOOPS_API_RATE_LIMITS_GUEST_PER_MIN=60\n    LOOPS_API_RATE_LIMITS_GUEST_PER_HOUR=700\n\nIf a proxy has its own limit, make it send Retry-After in whole seconds. In the server block of nginx, a location adds the header to its 429:\n\n    limit_req_status 429;\n    error_page 429 @limited;\n    location @limited { add_header Retry-After 60 always; return 429; }\n\nLoops must also see the address of each visitor, or all visitors share one limit. Behind another proxy, in nginx:\n\n    set_real_ip_from ADDRESS-OF-THE-PROXY;\n    real_ip_header X-Forwarded-For;',
  judge(evidence) {
    // `config-answered` reports that the identification was refused; this rule only reports a missing wait time.
    if (evidence.visit.reason === 'rate-limited') {
      if (evidence.visit.retryAfterMs !== null) return null;
      return warn('The requests that identify the server were answered 429, without a readable Retry-After.');
    }
    const answered = exchangesWithHost(evidence).filter(({ exchange }) => exchange.status !== null);
    if (answered.length === 0) return null;
    const problems = new Set(
      answered.flatMap(({ exchange }) => rateLimitProblemsOf(exchange, originOf(evidence.domain), evidence.at)),
    );
    if (problems.size > 0) return warn(`${listItems([...problems])}.`);
    const limited = answered.find(({ exchange }) => exchange.status === 429);
    if (limited !== undefined) {
      return info(
        `${requestWords(limited.exchange, originOf(evidence.domain))} was answered 429. ${rateLimitWords(limited.exchange, evidence)} The check then stopped; what it did not request is not judged.`,
      );
    }
    const limits = answered.flatMap(({ exchange }) => headerOf(exchange, 'x-ratelimit-limit') ?? []);
    return pass(
      limits.length === 0
        ? 'No answer announces a rate limit.'
        : `A limit of ${showText(limits[0] ?? '')} requests is announced.`,
    );
  },
};

function rateLimitProblemsOf(exchange: CheckExchange, origin: string, at: number): string[] {
  const problems: string[] = [];
  const limit = headerOf(exchange, 'x-ratelimit-limit');
  const remaining = headerOf(exchange, 'x-ratelimit-remaining');
  for (const [name, value] of [
    ['X-RateLimit-Limit', limit],
    ['X-RateLimit-Remaining', remaining],
  ] as const) {
    if (value !== null && !/^\d+$/.test(value))
      problems.push(`${name} is "${showText(value)}", which is not a number of requests`);
  }
  if (limit !== null && /^\d+$/.test(limit)) {
    if (Number(limit) < MIN_LIMIT)
      problems.push(`X-RateLimit-Limit is ${showText(limit)}, and one screen of an app needs more requests`);
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
  else if (waitMs > DAY_MS) problems.push(`Retry-After asks for a wait of ${Math.ceil(waitMs / HOUR_MS)} hours`);
  return problems;
}

/** The text of a header; null when it was not sent. */
function headerOf({ headers }: CheckExchange, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value).trim();
}

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
