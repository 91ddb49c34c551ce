import { parseRetryAfter } from '../http/retry-after.ts';
import type { Evidence } from './evidence.ts';
import type { Exchange } from './exchange.ts';

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
