import { type HttpFailure, parseRetryAfter } from '../http/failure.ts';
import type { DocumentReading } from './documents/document.ts';
import type { Evidence, Exchange } from './evidence.ts';

const LOGS =
  'See what was written down of it:\n\n    tail -n 50 storage/logs/laravel.log\n    tail -n 50 /var/log/nginx/error.log';
const PHP = `The web server gets no answer from PHP. See whether it runs, and start it anew:

    systemctl status 'php*-fpm'
    sudo systemctl restart 'php*-fpm'

If it runs, the socket in \`fastcgi_pass\` (or the port in \`proxy_pass\`) is not the one that it listens on; nginx says which it tries:

    tail -n 50 /var/log/nginx/error.log
    ls -l /run/php/`;
const MAINTENANCE = `Loops is in maintenance mode, or all of PHP is taken. When the work is done:

    php artisan up

If that says that it is up already, look at PHP and at the log:

    systemctl status 'php*-fpm'
    tail -n 50 storage/logs/laravel.log`;
const SLOW = `PHP takes longer than anyone waits: its workers are all taken, or the database does not answer. See which:

    systemctl status 'php*-fpm'
    tail -n 50 /var/log/php*-fpm.log
    php artisan db:monitor

Then start PHP anew:

    sudo systemctl restart 'php*-fpm'`;
const CRASH = `Something ends in the middle: PHP (memory, a crash), or a firewall that closes connections. See what was written down of it:

    tail -n 50 /var/log/nginx/error.log
    dmesg | grep -i -E 'php|oom'`;
const CLOUDFLARE = `That is Cloudflare, which gets no good answer from your server. See on the server itself, past Cloudflare, what it says:

    curl -svo /dev/null --resolve DOMAIN:443:127.0.0.1 https://DOMAIN/api/v1/config

521 and 522 are a web server that is off or a firewall that lacks the addresses of Cloudflare, 525 and 526 a certificate that it refuses (SSL/TLS mode Full (strict) needs a valid one), 520 and 524 an answer that is broken or too late.`;
const NOT_HTTP = `What comes is not what HTTP allows: another program on the port, headers that are too large or broken, or a length that is wrong. See it as it is:

    curl -svo /dev/null https://DOMAINPATH

Wrong lengths and broken headers are mostly made by a proxy or a plug-in that changes answers; cookies and \`add_header\` lines make headers large.`;
const TOO_LARGE = `See what makes the answer so large: over 256 KiB are not read.

    curl -s --compressed https://DOMAINPATH | head -c 2000`;
const PASSWORD = `Take it off what programs ask for. For basic authentication in nginx, a \`map\` in the block \`http\` turns it off for these addresses, whatever answers them:

    map $request_uri $login {
        default "Members only";
        "~^/(api|oauth|nodeinfo|ap|\\.well-known)/" off;
    }

Then, in the server block, in place of the \`auth_basic\` that is there:

    auth_basic $login;`;
const REFUSED = `Something does not let programs in: a rule of the web server, a firewall for web applications, a list of bad robots. Find it, and leave these addresses out:

    grep -rnE 'deny |http_user_agent|modsecurity|return 403' /etc/nginx/

It may also be the folder: the user of the web server must be able to read \`public\`.`;
const GONE = `410 says that the server is gone for good, and directories drop it. Find what says so, and take it out:

    grep -rnE 'return 410' /etc/nginx/`;

const OF_STATUS: Readonly<Record<number, string>> = {
  401: PASSWORD,
  403: REFUSED,
  407: PASSWORD,
  410: GONE,
  500: `${LOGS}\n\nAfter an update, clear what is kept of the old version:\n\n    php artisan optimize:clear`,
  502: PHP,
  503: MAINTENANCE,
  504: SLOW,
};

const OF_FAILURE: Partial<Record<HttpFailure, string>> = {
  'response-timeout': SLOW,
  'body-timeout': SLOW,
  'visit-timeout': SLOW,
  'connection-reset': CRASH,
  'invalid-http': NOT_HTTP,
  'body-too-large': TOO_LARGE,
};

/**
 * What to do about an answer that is none, by its status or failure; null where that depends on what was asked.
 *
 * @param path the path that was asked, one of ours.
 */
export function answerCure(reading: DocumentReading, domain: string, path: string): string | null {
  const cure = cureOf(reading);
  return cure === null ? null : cure.replaceAll('DOMAINPATH', domain + path).replaceAll('DOMAIN', domain);
}

function cureOf(reading: DocumentReading): string | null {
  if (reading.kind === 'failure') return OF_FAILURE[reading.failure] ?? null;
  if (reading.kind !== 'status') return null;
  const { status } = reading;
  if (status >= 520 && status <= 530) return CLOUDFLARE;
  return OF_STATUS[status] ?? (status >= 500 ? LOGS : null);
}

/** What to do about a server whose redirects lead back to where they began. */
export const LOOP_CURE = `Mostly a proxy in front asks by http, and the server redirects http to https, again and again. With Cloudflare, set SSL/TLS to Full (strict). Behind another proxy, Loops must trust what it says of https; in bootstrap/app.php:

    $middleware->trustProxies(at: '*');

Else a line of the web server redirects an address to itself; this finds those of nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/`;

/** What to say of a 429 besides where it came: when to try again, and that the check itself may be the cause. */
export function rateLimitWords(exchange: Exchange | null, { at, visit }: Evidence): string {
  const sent = exchange?.headers['retry-after'];
  const waitMs = sent === undefined ? visit.retryAfterMs : parseRetryAfter(String(sent), at);
  const again = waitMs === null ? '' : ` Try again in ${Math.ceil(waitMs / 1_000)} s.`;
  return `What this check asked, and others from its address, may have used up what is allowed.${again}`;
}

/** How to raise a limit, in Loops first: the one in nginx is rarely there. */
export const RATE_LIMIT_CURE = `If the answer has headers named X-RateLimit, the limit is that of Loops. Raise it where \`RateLimiter::for('api', ...)\` stands (app/Providers or bootstrap/app.php), in PHP:

    Limit::perMinute(300)->by($request->ip())

Behind a proxy, Loops must see the address of each visitor, or all of them share one limit; in bootstrap/app.php:

    $middleware->trustProxies(at: '*');

Then let it read both anew:

    php artisan optimize:clear

Without these headers the limit is that of the proxy in front (Cloudflare: Security, WAF, Rate limiting rules) or of nginx, where this finds it:

    grep -rnE 'limit_req|limit_conn' /etc/nginx/`;
