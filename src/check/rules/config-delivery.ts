import { parseConfig } from '../../identify/documents.ts';
import { property } from '../../identify/field-reader.ts';
import { REASONS } from '../../model/reason.ts';
import { challengeOf, contentTypeOf } from '../answers.ts';
import { documentOf } from '../documents/document.ts';
import { type CheckExchange, FOREIGN_ORIGIN } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showText, warn } from '../rule.ts';
import { mayBeLoops } from '../server-state.ts';

export const configContentType: Rule = {
  id: 'config-content-type',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The configuration is sent as application/json',
  checks:
    'The `Content-Type` of `/api/v1/config`: `application/json`, or a type that ends in `+json`, and no charset but UTF-8.',
  why: 'Many client libraries parse a body as JSON only when its content type says so.',
  sources: ['RFC 8259 section 11', 'RFC 9110 section 8.3'],
  cure: `Loops sends the right type; the usual cause is a line of the proxy that sets another one for the whole API. This finds it:

    grep -rnE 'default_type|Content-Type' /etc/nginx/`,
  judge({ answers }) {
    const { config } = answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const type = contentTypeOf(config);
    if (type === null) return warn('The answer names no content type.');
    if (type !== 'application/json' && !type.endsWith('+json')) return warn(`It is sent as ${showText(type)}.`);
    const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(config.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return warn(`It is sent as charset ${showText(charset)}.`);
    return pass(`It is sent as ${showText(type)}.`);
  },
};

export const configEncoding: Rule = {
  id: 'config-encoding',
  worst: 'warn',
  title: 'The configuration is UTF-8 without a byte order mark',
  checks: 'The bytes of `/api/v1/config`: a byte order mark before the JSON, and bytes that are not UTF-8.',
  why: 'JSON that is sent over the net must be UTF-8 and must not begin with a byte order mark. Loopscout ignores both; many parsers refuse the document.',
  sources: ['RFC 8259 section 8.1'],
  cure: `A byte order mark comes from a file that was edited by hand. This finds such files: save \`.env\` as UTF-8 without the mark, and restore files of Loops with \`git checkout -- FILE\`.

    grep -rlI $'^\\xEF\\xBB\\xBF' app bootstrap config lang public routes .env

Text in the database that is not UTF-8 must be retyped in the settings.`,
  judge({ answers }) {
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object') return null;
    const { hasByteOrderMark, isUtf8 } = reading;
    const problems = [
      ...(hasByteOrderMark ? ['begins with a byte order mark'] : []),
      ...(isUtf8 ? [] : ['has bytes that are not UTF-8']),
    ];
    return problems.length === 0
      ? pass('It is UTF-8 without a byte order mark.')
      : warn(`The body of /api/v1/config ${problems.join(' and ')}.`);
  },
};

export const configDuplicateKeys: Rule = {
  id: 'config-duplicate-keys',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration has no duplicate names',
  checks:
    'Looks for names that occur more than once in an object of the document. Warns about them; fails when `app`, as most clients read it, also names no software.',
  why: 'The standard does not define which of them counts: some clients read the first, others the last, others refuse the document.',
  sources: ['RFC 8259 section 4'],
  cure: `Loops writes each name once: look for a proxy, a plug-in or a patch that adds members to the answer, and make it replace them instead. To find the source, request PHP directly, without the proxy:

    curl -s -H 'Host: DOMAIN' http://127.0.0.1/api/v1/config`,
  judge({ answers }) {
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object') return null;
    const { duplicates } = reading;
    if (duplicates.length === 0) return pass('It has no duplicate names.');
    const detail = `More than once: ${listItems(duplicates.map(showText))}.`;
    const isReadable = property(reading.document, 'app') === undefined || parseConfig(reading.document) !== null;
    return isReadable ? warn(detail) : fail(`${detail} As most clients read it, the document names no software.`);
  },
};

export const configCors: Rule = {
  id: 'config-cors',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The scripts of other sites may read the configuration',
  checks:
    'Whether the answer to a cross-origin request has `Access-Control-Allow-Origin` exactly once, as `*` or as the requesting origin. In the second case an answer with a `max-age` above 0 must have `Vary: Origin`.',
  why: 'Apps in the browser, and directories that query a server live, cannot read an answer without this header. It reveals nothing: config is public.',
  sources: ['Fetch Standard, CORS protocol'],
  cure: `Loops sends the header unless its CORS settings were changed or a proxy removes it. Publish these settings, keep \`'api/*'\` in \`paths\` and \`'*'\` in \`allowed_origins\`, and make Loops reload them:

    php artisan config:publish cors
    php artisan config:cache

Or let the web server send it, and not Loops: sent twice, the header is invalid. In nginx, in the block \`http\`:

    map $request_uri $allow_origin {
        default "";
        "~^/(api|nodeinfo|\\.well-known)/" "*";
    }

Then in the server block:

    add_header Access-Control-Allow-Origin $allow_origin always;`,
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const allowed = config.headers['access-control-allow-origin']?.trim();
    if (allowed === undefined || allowed === '') return warn('The answer has no Access-Control-Allow-Origin.');
    if (allowed.includes(','))
      return warn(`Access-Control-Allow-Origin has more than one value: ${showText(allowed)}.`);
    if (allowed === '*') return pass('Scripts of every site may read it.');
    if (allowed !== FOREIGN_ORIGIN)
      return warn(`Access-Control-Allow-Origin is ${showText(allowed)}: scripts of other sites may not read it.`);
    const variesByOrigin = /(?:^|[\s,])(?:origin|\*)(?:[\s,]|$)/i.test(config.headers.vary ?? '');
    const isCacheable = /max-age=[1-9]/i.test(config.headers['cache-control'] ?? '');
    if (isCacheable && !variesByOrigin)
      return warn(
        'Access-Control-Allow-Origin repeats the requesting site, but the answer is cacheable and lacks Vary: Origin.',
      );
    return pass('Scripts of every site may read it.');
  },
};

/** Whether an answer permits the scripts of another site to read it. */
function isReadableElsewhere({ headers }: CheckExchange): boolean {
  const allowed = headers['access-control-allow-origin']?.trim();
  return allowed === '*' || allowed === FOREIGN_ORIGIN;
}

export const configPreflight: Rule = {
  id: 'config-preflight',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The CORS preflight of a browser is answered',
  checks:
    '`OPTIONS /api/v1/config` with `Access-Control-Request-Method: GET` gets a 2xx with `Access-Control-Allow-Origin`. Judged only if scripts of other sites may read the answer to GET.',
  why: 'A browser asks for permission before a cross-origin request with additional headers, such as a token. Without permission it does not send the request.',
  sources: ['Fetch Standard, CORS-preflight fetch'],
  cure: `Loops answers OPTIONS requests itself: remove \`limit_except GET\` and rules against OPTIONS from the web server and the proxy. If the CORS settings of Loops were published, keep \`'api/*'\` in \`paths\` and \`'*'\` in \`allowed_methods\` and \`allowed_headers\`. This publishes the defaults again:

    php artisan config:publish cors --force
    php artisan config:cache`,
  judge(evidence) {
    const { config, 'config-preflight': preflight } = evidence.answers;
    if (!mayBeLoops(evidence) || config === null || documentOf(config).kind !== 'object') return null;
    // `config-cors` reports an answer to GET that scripts may not read.
    if (preflight === null || !isReadableElsewhere(config)) return null;
    // `config-redirect` reports the redirect.
    if (config.followed.length > 0 && (preflight.status ?? 0) >= 300 && (preflight.status ?? 0) < 400) return null;
    const { status, failure } = preflight;
    // Other rules report these, whatever the method.
    if (status === 429 || (status ?? 0) >= 500 || challengeOf(preflight) !== null) return null;
    if (failure !== null || status === null)
      return warn(`OPTIONS gave no usable answer: ${failure === null ? 'no data arrived' : REASONS[failure].means}.`);
    if (status < 200 || status >= 300) return warn(`OPTIONS gives ${status}.`);
    if (!isReadableElsewhere(preflight))
      return warn('The answer to OPTIONS has no usable Access-Control-Allow-Origin.');
    return pass(`OPTIONS gives ${status}.`);
  },
};

const DAY_SECONDS = 86_400;

export const configCache: Rule = {
  id: 'config-cache',
  worst: 'warn',
  title: 'The configuration is not cached for days',
  checks:
    '`Cache-Control`, `Expires` and `Age` of the answer: more than a day, or `immutable`, warns. `no-cache` and `private`, which Laravel sends by default, and `no-store` are info.',
  why: 'With a copy that is days old, apps show outdated limits and registration. Without any caching, every request reaches PHP.',
  sources: ['RFC 9111'],
  cure: `Allow caching for minutes, not days; settings change. In nginx, in the block \`http\`:

    map $request_uri $keep_for {
        default off;
        "~^/api/v1/config$" 5m;
    }

Then in the server block, where it applies to PHP as well:

    expires $keep_for;

If a CDN caches it, purge the URL there once.`,
  judge(evidence) {
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const control = config.headers['cache-control']?.toLowerCase() ?? '';
    const age = Number(config.headers.age ?? 0);
    if (age > DAY_SECONDS)
      return warn(`The answer is a copy that was cached for ${Math.floor(age / 3_600)} hours (Age).`);
    if (/\bimmutable\b/.test(control))
      return warn(`Cache-Control is ${showText(control)}: caches assume that it never changes.`);
    const seconds = cacheSeconds(config, control, evidence.at);
    if (seconds > DAY_SECONDS)
      return warn(
        `It may be cached for ${Math.round(seconds / 3_600)} hours${!/max-?age/.test(control) ? ' (Expires)' : `: Cache-Control is ${showText(control)}`}.`,
      );
    if (/\b(?:private|no-store|no-cache)\b/.test(control))
      return info(
        `Cache-Control is ${showText(control)}: no proxy may answer from its cache, so every client loads it from the server.`,
      );
    return pass(seconds > 0 ? `It may be cached for ${seconds} s.` : 'It gives no caching time.');
  },
};

/** The longest permitted caching time in seconds; 0 when none is given, or caches must ask the server each time. */
function cacheSeconds({ headers }: CheckExchange, control: string, at: number): number {
  const ages = [...control.matchAll(/\b(?:s-maxage|max-age)\s*=\s*"?(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (control.includes('no-cache') || control.includes('no-store')) return 0;
  if (ages.length > 0) return Math.max(...ages);
  const expires = Date.parse(headers.expires ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, Math.round((expires - at) / 1_000));
}

/** Names of cookies that proxies set. */
const PROXY_COOKIES =
  /^(?:__cf_bm|_cfuvid|cf_\w+|__cflb|__ddg\w*|incap_ses_\w*|visid_incap_\w*|nlbi_\w*|AWSALB\w*|datadome|SERVERID)$/i;

export const configCookies: Rule = {
  id: 'config-cookies',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The configuration sets no cookie',
  checks: '`Set-Cookie` in the answer. Known cookies of proxies are info, others warn.',
  why: 'Every app and robot gets a session of its own, most caches do not store the answer, and a cache that does gives everyone the same session.',
  sources: ['RFC 9111 section 7.3', 'RFC 6265'],
  cure: `Loops sets cookies only for requests of its own pages. List only the name of the server in \`.env\`:

    SANCTUM_STATEFUL_DOMAINS=DOMAIN

Then make Loops reload it:

    php artisan config:cache

If a proxy sets the cookie, remove it there. In nginx:

    proxy_hide_header Set-Cookie;`,
  judge({ answers: { config } }) {
    if (config === null || documentOf(config).kind !== 'object') return null;
    const names = (config.headers['set-cookie'] ?? []).map((cookie) => showText(cookie.split('=', 1)[0]?.trim() ?? ''));
    if (names.length === 0) return pass('It sets no cookie.');
    const otherNames = names.filter((name) => !PROXY_COOKIES.test(name));
    if (otherNames.length === 0) return info(`The proxy in front of the server sets ${listItems(names)}.`);
    const isCacheable = /\bpublic\b|s-maxage=[1-9]/i.test(config.headers['cache-control'] ?? '');
    return warn(`It sets ${listItems(otherNames)}${isCacheable ? ', and caches may store the answer with it' : ''}.`);
  },
};

const MAX_BYTES = 65_536;

export const configSize: Rule = {
  id: 'config-size',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The configuration is small',
  checks:
    'The body of `/api/v1/config` is at most 64 KiB after decompression. By default, Loopscout reads 256 KiB; a longer body counts as a failed answer.',
  why: 'Clients read it at every start, also over mobile connections, and some limit its size.',
  sources: ['Interface specification 2.5'],
  cure: 'Find what makes the document long (`curl -s https://DOMAIN/api/v1/config | wc -c`): white space before it, a picture in the description, or added members. Loops itself sends under 1 KiB.',
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const { length } = config.body;
    if (length <= MAX_BYTES) return pass(`It is ${length} bytes.`);
    return warn(`It is ${Math.round(length / 1_024)} KiB.`);
  },
};
