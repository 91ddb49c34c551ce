import { property } from '../identify/field-reader.ts';
import { isHtml, jsonOf } from './answers.ts';
import type { CheckExchange } from './evidence.ts';
import { showValue } from './rule.ts';

/** Limits the work on a large page. */
const READ_BYTES = 65_536;
const MAX_MESSAGE_LENGTH = 200;

/** Markers of the debug error pages of Laravel and Ignition. */
const DEBUG_PAGE =
  /laravel-exceptions-renderer|\bIgnition\b|window\.data\s*=\s*\{\s*"?report|Whoops\\|class="sf-dump|Illuminate\\(?:\w+\\)+\w+.{0,400}\.php:?\d*/s;

/** Whether an answer is debug output of Laravel, with file names and a stack trace. */
export function revealsInternals(exchange: CheckExchange): boolean {
  const json = jsonOf(exchange);
  if (json !== null)
    return (
      typeof property(json, 'exception') === 'string' &&
      (property(json, 'trace') !== undefined || property(json, 'file') !== undefined)
    );
  return isHtml(exchange) && DEBUG_PAGE.test(textOf(exchange));
}

function textOf({ body }: CheckExchange): string {
  return new TextDecoder().decode(body.subarray(0, READ_BYTES));
}

const DATABASE_CURE =
  'Loops cannot use its database. Check whether it runs, and the settings in `.env`:\n\n    DB_HOST=127.0.0.1\n    DB_DATABASE=loops\n    DB_USERNAME=loops_user\n    DB_PASSWORD=...\n\nThen make Loops reload them:\n\n    php artisan config:cache\n    php artisan db:monitor';
const TUNNEL_CURE =
  'Start the tunnel again on your server, and see why it stopped:\n\n    sudo systemctl restart cloudflared\n    journalctl -u cloudflared -n 50\n    cloudflared tunnel list';

/** Causes that an error message of Loops names, most specific first. */
const MESSAGE_CURES: readonly [message: RegExp, cure: string][] = [
  [
    /SQLSTATE\[(?:42S02|42S22)\]|no such (?:table|column)/,
    'The database lacks a table or column of this version: run the migrations.\n\n    php artisan migrate --force',
  ],
  [/SQLSTATE|could not find driver/, DATABASE_CURE],
  [/No application encryption key/, 'Create the key of the application:\n\n    php artisan key:generate'],
  [
    /[Kk]ey path .* does not exist|Invalid key supplied|Unable to read key/,
    'The keys of OAuth are missing or unreadable:\n\n    php artisan passport:keys\n    sudo chown www-data:www-data storage/oauth-*.key',
  ],
  [
    /Permission denied|could not be opened in append mode/,
    'The user of the web server must be able to write to these folders:\n\n    sudo chown -R www-data:www-data storage bootstrap/cache',
  ],
  [
    /RedisException|\bredis\b|:6379\b/i,
    'Start Redis, and check `REDIS_HOST` and `REDIS_PASSWORD` in `.env`:\n\n    systemctl status redis\n    php artisan config:cache',
  ],
  [/[Vv]ite manifest/, 'Build the web app:\n\n    npm install\n    npm run build'],
];

/** The cause that a server error names, as a sentence, with the cure if known; null when the error names none. */
export function causeInAnswer(exchange: CheckExchange | null): { detail: string; cure: string | null } | null {
  if (exchange === null || exchange.failure !== null || (exchange.status ?? 0) < 500) return null;
  if (exchange.status === 530 && /\b1033\b/.test(textOf(exchange)))
    return { detail: 'Cloudflare reports error 1033: its tunnel to the server is down.', cure: TUNNEL_CURE };
  const message = debugMessageOf(exchange);
  if (message === null) return null;
  const [, cure = null] = MESSAGE_CURES.find(([pattern]) => pattern.test(message)) ?? [];
  return { detail: `Its debug output says ${showValue(message)}.`, cure };
}

/** The error message in debug output, without the SQL statement and connection details; null when there is none. */
function debugMessageOf(exchange: CheckExchange): string | null {
  const json = jsonOf(exchange);
  // Ignition puts 🧨 before the message in the title of its page.
  const message =
    json === null
      ? (/SQLSTATE\[[^<\n]{1,400}/.exec(textOf(exchange))?.[0] ??
        /<title>🧨\s*([^<]{1,400})/u.exec(textOf(exchange))?.[1])
      : revealsInternals(exchange)
        ? property(json, 'message')
        : undefined;
  if (typeof message !== 'string') return null;
  const [shown = ''] = message.split(/ \((?:Connection|SQL):/, 1);
  return shown.trim() === '' ? null : shown.trim().slice(0, MAX_MESSAGE_LENGTH);
}
