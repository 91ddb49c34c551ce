import { originOf } from '../../../domain/domain.ts';
import { property } from '../../../identify/json.ts';
import { isHtml } from '../../documents/is-html.ts';
import { nameAll } from '../../documents/name-all.ts';
import type { Exchange } from '../../exchange.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass } from '../../judgement.ts';
import { ownAnswers } from '../../own-answers.ts';
import { requestWords } from '../../request-words.ts';
import type { Rule } from '../../rule.ts';

const CURE =
  'In the `.env` of Loops:\n\n    APP_ENV=production\n    APP_DEBUG=false\n\nThen let Loops read it anew:\n\n    php artisan config:cache\n\nWhoever saw such a page may have seen keys and passwords: change those of the database and of mail, and `APP_KEY` if it stood there.';

/** Marks of the pages that Laravel shows to developers, of Ignition and of its own. */
const PAGE_MARKS =
  /laravel-exceptions-renderer|\bIgnition\b|window\.data\s*=\s*\{\s*"?report|Whoops\\|class="sf-dump|Illuminate\\(?:\w+\\)+\w+.{0,400}\.php:?\d*/s;
const READ_BYTES = 65_536;

/** Whether errors show the inside of the server. */
export const apiDebug: Rule = {
  id: 'api-debug',
  area: 'api',
  worst: 'fail',
  title: 'Errors do not show the inside of the server',
  checks:
    'Looks in every answer for what Laravel shows to developers (`APP_DEBUG=true`): `exception`, `file`, `line` and `trace` in JSON, or a page with a stack trace. Fails for one.',
  why: 'Such an answer tells everybody paths, queries and versions, and its page environment variables: passwords, and the key that sessions are signed with.',
  sources: ['Laravel documentation: Configuration, Debug Mode', 'CWE-209', 'CWE-489'],
  cure: CURE,
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
      CURE,
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
