import { type HttpFailure, parseRetryAfter } from '../http/failure.ts';
import { type Domain, originOf } from '../model/domain/domain.ts';
import type { DocumentReading, JsonProblem } from './documents/document.ts';
import type { CheckExchange, Evidence } from './evidence.ts';

const LOGS_CURE = 'See the logs:\n\n    tail -n 50 storage/logs/laravel.log\n    tail -n 50 /var/log/nginx/error.log';
const PHP_CURE = `The web server gets no answer from PHP. See whether it runs, and restart it:

    systemctl status 'php*-fpm'
    sudo systemctl restart 'php*-fpm'

If it runs, the socket in \`fastcgi_pass\` (or the port in \`proxy_pass\`) is not the one that PHP listens on; the log of nginx names the one it tries:

    tail -n 50 /var/log/nginx/error.log
    ls -l /run/php/`;
const MAINTENANCE_CURE = `Loops is in maintenance mode, or all PHP workers are busy. When the maintenance is done:

    php artisan up

If it is already up, look at PHP and at the log:

    systemctl status 'php*-fpm'
    tail -n 50 storage/logs/laravel.log

If only some requests get 503, a rate limit of nginx may send it; \`limit_req_status 429;\` tells clients so. This finds the limit:

    grep -rnE 'limit_req|limit_conn' /etc/nginx/`;
const SLOW_CURE = `PHP is too slow: all its workers are busy, or the database does not answer. See which:

    systemctl status 'php*-fpm'
    tail -n 50 /var/log/php*-fpm.log
    php artisan db:monitor

Then restart PHP:

    sudo systemctl restart 'php*-fpm'`;
const CRASH_CURE = `The connection breaks off: PHP runs out of memory or crashes, or a firewall or a rule against robots closes connections. See the logs and the rules:

    tail -n 50 /var/log/nginx/error.log
    dmesg | grep -i -E 'php|oom'
    grep -rnE 'return 444|limit_conn' /etc/nginx/`;
const CLOUDFLARE_CURE = `This is an error of Cloudflare, which gets no valid answer from your server. See what the server answers without Cloudflare:

    curl -svo /dev/null --resolve DOMAIN:443:127.0.0.1 https://DOMAIN/api/v1/config

521 and 522: the web server is off, or a firewall blocks the addresses of Cloudflare. 525 and 526: Cloudflare refuses the certificate (SSL/TLS mode Full (strict) needs a valid one). 520 and 524: the answer is broken or too late. 530: with error 1033, the tunnel is down; with error 1016, Cloudflare cannot resolve the name of your server.`;
/** Shows the lines of an answer as they are sent, with their ends and control characters. */
const SHOW_LINES = '    curl --http1.1 -si https://DOMAINPATH | cat -A | head -n 40';
const NOT_HTTP_CURE = `The answer is not valid HTTP: another program uses the port, a header is malformed, or a length is wrong. See the lines as they are sent:

${SHOW_LINES}

Wrong lengths and malformed headers mostly come from a proxy or a plug-in that changes answers.`;
const LARGE_HEADERS_CURE = `Headers of more than 64 KiB are not read. Cookies, a long Content-Security-Policy and repeated \`add_header\` lines make them large. See the longest lines:

    curl -s -o /dev/null -D - https://DOMAINPATH | awk '{ print length, substr($0, 1, 60) }' | sort -rn | head`;
const BROKEN_ENCODING_CURE = `The compressed answer is cut off or damaged, or not compressed at all: a proxy, a plug-in or the hosting platform changes it after compression, or a line adds \`Content-Encoding\`. See the error, and look for the line:

    curl -s -H 'Accept-Encoding: gzip' https://DOMAINPATH | gzip -t
    grep -rn 'Content-Encoding' /etc/nginx/

Let one program compress, the last one that changes the answer; in nginx, \`gzip on;\` there, and \`zlib.output_compression = Off\` in \`php.ini\`.`;
const TOO_LARGE_CURE = `See what makes the answer so large: a body over 256 KiB is not read.

    curl -s --compressed https://DOMAINPATH | head -c 2000`;
const UNACCEPTED_ENCODING_CURE = `The answer is compressed in a way that the request did not accept, so clients cannot read it. A cache that ignores \`Vary: Accept-Encoding\` does this; so do \`brotli_static always\` and \`gzip_static always\` in nginx, where \`on\` is right. See which encoding it is:

    curl -sI -X GET -H 'Accept-Encoding: gzip' https://DOMAINPATH | grep -i encoding`;
const PASSWORD_CURE = `Remove the password from the paths that programs request. For basic authentication in nginx, a \`map\` in the block \`http\` turns it off for these paths:

    map $request_uri $login {
        default "Members only";
        "~^/(api|oauth|nodeinfo|ap|\\.well-known)/" off;
    }

Then, in the server block, in place of the existing \`auth_basic\`:

    auth_basic $login;`;
const REFUSED_CURE = `Something blocks programs: a rule of the web server, a web application firewall, a list of bad robots. Find it, and exempt the paths that programs request:

    grep -rnE 'deny |http_user_agent|modsecurity|ssl_verify_client|return 4' /etc/nginx/

It may also be a file permission: the user of the web server must be able to read \`public\`.`;
const GONE_CURE = `410 means that the server is permanently gone, and directories drop it. Find the line that sends it, and remove it:

    grep -rnE 'return 410' /etc/nginx/`;

const STATUS_CURES: Readonly<Record<number, string>> = {
  401: PASSWORD_CURE,
  407: PASSWORD_CURE,
  410: GONE_CURE,
  500: `${LOGS_CURE}\n\nAfter an update, clear the caches of the old version:\n\n    php artisan optimize:clear`,
  502: PHP_CURE,
  503: MAINTENANCE_CURE,
  504: SLOW_CURE,
};

const FAILURE_CURES: Partial<Record<HttpFailure, string>> = {
  'response-timeout': SLOW_CURE,
  'body-timeout': SLOW_CURE,
  'visit-timeout': SLOW_CURE,
  'connection-reset': CRASH_CURE,
  'invalid-http': NOT_HTTP_CURE,
  'headers-too-large': LARGE_HEADERS_CURE,
  'body-too-large': TOO_LARGE_CURE,
  'invalid-encoding': BROKEN_ENCODING_CURE,
  'unsupported-encoding': UNACCEPTED_ENCODING_CURE,
};

/**
 * The cure for a status or failure; null when the right cure depends on the request.
 *
 * @param path the requested path: a constant, because a cure never contains text from the server.
 */
export function answerCure(reading: DocumentReading, domain: Domain, path: string): string | null {
  const cure = cureOf(reading);
  if (cure === null) return null;
  return addressed(cure, domain, path);
}

/** Puts the address of the server, which for a local one begins with `http:`, and the path into a cure. */
export function addressed(cure: string, domain: Domain, path = ''): string {
  const origin = originOf(domain);
  return cure
    .replaceAll('https://DOMAINPATH', () => origin + path)
    .replace(/https:\/\/DOMAIN\b/g, () => origin)
    .replace(/\bDOMAIN\b/g, () => domain);
}

const HEADER_LINES_CURE = `A value that spans several lines of the settings is sent with its line breaks: write it on one line. This finds such lines in nginx:

    grep -rnE 'add_header [^;]*$' /etc/nginx/

A program that writes headers itself must end each line with CR LF. See the lines as they are sent: \`^M$\` ends a correct one, and a folded one begins with a space.

${SHOW_LINES}`;

/** The cure for headers that only lenient clients read. */
export function headerLinesCure(domain: Domain, path: string): string {
  return addressed(HEADER_LINES_CURE, domain, path);
}

/** The cure for a redirect to the scheme or port of a web server behind a proxy. */
export const INNER_REDIRECT_CURE = `A web server behind a proxy redirects to its own scheme or port, which others cannot reach. In nginx, make its redirects relative:

    absolute_redirect off;

Or leave the port out:

    port_in_redirect off;

If Loops sends the redirect, the proxy must forward the scheme, host and port that the visitor used:

    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Port $server_port;

Then reload nginx.`;

function cureOf(reading: DocumentReading): string | null {
  if (reading.kind === 'failure') return FAILURE_CURES[reading.failure] ?? null;
  if (reading.kind !== 'status') return null;
  const { status } = reading;
  if (status >= 520 && status <= 530) return CLOUDFLARE_CURE;
  if (status >= 500) return STATUS_CURES[status] ?? LOGS_CURE;
  // Only Loops knows which paths exist.
  return STATUS_CURES[status] ?? (status === 404 || status === 405 || status < 400 ? null : REFUSED_CURE);
}

/** Where to set the settings for trusted proxies. */
const PROCESS_ENVIRONMENT =
  'Set them in `.env` and in the environment of the process (`environment` in docker-compose.yml, or lines such as `env[TRUST_PROXIES_ENABLED] = true` in the pool of PHP-FPM), because some releases read them before they load `.env`.';
const TRUST_PROXY = `    TRUST_PROXIES_ENABLED=true
    TRUST_PROXIES=*

${PROCESS_ENVIRONMENT} The proxy must send the scheme and the host that the visitor used; in nginx:

    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-Proto $scheme;

If nginx passes requests to PHP-FPM itself, and another proxy in front of it ends TLS:

    fastcgi_param HTTPS on;

Then restart PHP and make Loops reload its settings:

    sudo systemctl restart 'php*-fpm'
    php artisan optimize:clear`;

/** The cure when the URLs in documents of Loops begin with `http:` instead of `https:`. */
export const SCHEME_CURE = `Since 1.0.0-beta.2, Loops writes https into its URLs whatever the request was. If the release is newer, a proxy or a changed file rewrites them:

    grep -rnE 'sub_filter|http://' /etc/nginx/
    git -C /var/www/loops status

Otherwise update Loops. Until then, it takes the scheme from the request, and must trust the proxy that ends TLS:

${TRUST_PROXY}`;

/** The cure when config alone answers 500: unlike NodeInfo and the pages, it needs the keys of OAuth and Redis. */
export const CONFIG_ONLY_CURE = `Since 1.0.0-beta.11, config needs the keys of OAuth and Redis, which NodeInfo and the pages do not. Create the keys if they are missing, and make them readable for PHP:

    php artisan passport:keys
    sudo chown www-data:www-data storage/oauth-*.key
    sudo chmod 600 storage/oauth-*.key

Then see whether Redis answers, and what the log says:

    redis-cli ping
    grep -E 'REDIS_|CACHE_' .env
    tail -n 50 storage/logs/laravel.log

Right after \`php artisan cache:clear\`, one such answer is normal.`;

/** The cure when Loops hides NodeInfo although config says that federation is on. */
export const STALE_SETTINGS_CURE = `This 404 comes from Loops, not from the web server: Loops caches its settings, and one part of it still reads the old one. Clear the cache, then save the federation setting again in the admin settings:

    php artisan cache:clear

The next request for config may answer 500 once.`;

/** The cure when the URLs in documents of Loops name another host. */
export const HOST_CURE = `Loops takes the host of its URLs from the request, so a proxy in front must forward the name that the visitor used. In nginx:

    proxy_set_header Host $host;

If the proxy sends \`X-Forwarded-Host\` instead, Loops must trust it:

    TRUST_PROXIES_ENABLED=true
    TRUST_PROXIES=*

${PROCESS_ENVIRONMENT}`;

/** The cure for a redirect loop. */
export const LOOP_CURE = `Usually a proxy in front uses http, and the server redirects every http request to https. With Cloudflare, set the SSL/TLS mode to Full (strict), not Flexible. Behind another proxy, make it use https, or make Loops trust the scheme that it forwards:

${TRUST_PROXY}

Otherwise a line of the web server redirects a URL to itself; this finds the redirects of nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/`;

/** The cure for a body that is still compressed after decoding. */
export const COMPRESSION_CURE = `Two programs compress the answer, or one does so without \`Content-Encoding\`. Leave compression to the web server, and turn it off in PHP (\`php.ini\`):

    zlib.output_compression = Off

Then look for a second place: a proxy, a plug-in, or a cache that stores compressed answers. In nginx:

    grep -rnE 'gzip|brotli|Content-Encoding|Accept-Encoding' /etc/nginx/`;

/** The cures for bodies that are not JSON, if the cause can be seen. */
export const JSON_CURES: Partial<Record<JsonProblem['code'], string>> = {
  compressed: COMPRESSION_CURE,
  'php-source': `The web server sends PHP programs instead of running them, so that anyone can read them. In the server block of nginx:

    location ~ \\.php$ {
        include fastcgi_params;
        fastcgi_param SCRIPT_FILENAME $realpath_root$fastcgi_script_name;
        fastcgi_pass unix:/run/php/php-fpm.sock;
    }

This shows the sockets of PHP:

    ls -l /run/php/`,
};

/** The cure when a web server rule for hidden files matches /.well-known/. */
export const HIDDEN_FILES_CURE = `A web server rule for hidden files (\`location ~ /\\.\`) or for certificates probably matches this path before Loops does. In nginx, add this above that rule:

    location ^~ /.well-known/ {
        try_files $uri /index.php?$query_string;
    }

Or exclude the path from the rule:

    location ~ /\\.(?!well-known) { deny all; }`;

export const CONTENT_TYPE_CURE = `Loops sends the right type. Remove the setting of the web server that changes it:

    grep -rnE 'default_type|types|Content-Type' /etc/nginx/`;

/** The lines of nginx that let Loops answer for paths without a file, with errors too. */
export const PASS_TO_LOOPS_LINES = `    location / {
        try_files $uri $uri/ /index.php?$query_string;
    }
    fastcgi_intercept_errors off;
    proxy_intercept_errors off;`;

/** The cure for an answer that only changed code or a proxy can produce. */
export const CHANGED_CODE_CURE = `Loops as shipped answers correctly, so its code was changed, or a proxy rewrites the answer. This lists changed files, and restores one:

    git -C /var/www/loops status
    git -C /var/www/loops checkout -- FILE
    php artisan optimize:clear`;

/** Explains that the check itself may have caused a 429, and when to try again, if known. */
export function rateLimitWords(exchange: CheckExchange | null, { at, visit }: Evidence): string {
  const sent = exchange?.headers['retry-after'];
  const waitMs = sent === undefined ? visit.retryAfterMs : parseRetryAfter(String(sent), at);
  const again = waitMs === null ? '' : ` Try again in ${Math.ceil(waitMs / 1_000)} s.`;
  return `This check, and other requests from its address, may have used up the limit.${again}`;
}

/** How to raise a rate limit. Usually Loops sets the limit, rarely nginx. */
export const RATE_LIMIT_CURE = `If the answer has X-RateLimit headers, the limit is that of Loops. Raise it in \`.env\`:

    LOOPS_API_RATE_LIMITS_GUEST_PER_MIN=120
    LOOPS_API_RATE_LIMITS_GUEST_PER_HOUR=3000

Then make Loops reload its settings:

    php artisan config:cache

Behind a proxy, all visitors share one limit unless the proxy sends \`X-Forwarded-For\` and Loops trusts it:

    TRUST_PROXIES_ENABLED=true
    TRUST_PROXIES=*

${PROCESS_ENVIRONMENT}

Without X-RateLimit headers, the limit is that of the proxy in front (Cloudflare: Security, WAF, Rate limiting rules) or of nginx; this finds it in nginx:

    grep -rnE 'limit_req|limit_conn' /etc/nginx/`;
