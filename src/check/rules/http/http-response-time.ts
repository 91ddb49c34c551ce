import { originOf } from '../../../domain/domain.ts';
import { isDown } from '../../documents/is-down.ts';
import { nameAll } from '../../documents/name-all.ts';
import { fail, pass, warn } from '../../judgement.ts';
import { ownAnswers } from '../../own-answers.ts';
import { requestWords } from '../../request-words.ts';
import type { Rule } from '../../rule.ts';

const SLOW_MS = 2_000;
/** The official app waits this long for the configuration before it says that the server is unavailable. */
const APP_GIVES_UP_MS = 5_000;

const CURE =
  'See what is slow on the server: the load, the database, and whether all PHP workers are taken (`pm.max_children` reached in the log of PHP-FPM). Caches that are not warm cost the most in Laravel:\n\n    php artisan optimize\n    php artisan queue:restart\n    tail /var/log/php*-fpm.log';

/** Whether answers come in time. */
export const httpResponseTime: Rule = {
  id: 'http-response-time',
  area: 'http',
  worst: 'fail',
  title: 'Answers come within two seconds',
  checks:
    'Measures each request from the look-up of the connection to the last byte. Fails when the configuration takes over 5 seconds, warns when any answer takes over 2.',
  why: 'The official app gives the configuration 5 seconds before sign-in, and then calls the server unavailable. Directories and other servers give up after 5 to 10.',
  sources: ['The official app (2026): its look at a server before sign-in'],
  cure: CURE,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const answered = ownAnswers(evidence).filter(
      ({ exchange }) => exchange.status !== null && exchange.failure === null,
    );
    if (answered.length === 0) return null;
    const slow = answered
      .filter(({ exchange }) => exchange.ms > SLOW_MS)
      .sort((one, other) => other.exchange.ms - one.exchange.ms);
    const { config } = evidence.answers;
    if (slow.length === 0) {
      const times = answered.map(({ exchange }) => exchange.ms).sort((one, other) => one - other);
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
      ? fail(`${detail} The official app gives up after 5 s and calls the server unavailable.`, CURE)
      : warn(detail, CURE);
  },
};

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
