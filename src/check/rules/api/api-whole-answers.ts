import { originOf } from '../../../domain/domain.ts';
import { answerWords } from '../../answer-words.ts';
import { isDown } from '../../documents/is-down.ts';
import { nameAll } from '../../documents/name-all.ts';
import { fail, pass } from '../../judgement.ts';
import { ownAnswers } from '../../own-answers.ts';
import type { RequestName } from '../../request-name.ts';
import { requestWords } from '../../request-words.ts';
import type { Rule } from '../../rule.ts';

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

const CURE =
  'See what the web server says of these requests, and whether PHP ends in the middle of them (memory, time, a crash):\n\n    tail /var/log/nginx/error.log\n    tail -n 50 storage/logs/laravel.log\n    dmesg | grep -i -E "php|oom"\n\nA firewall for web applications that closes connections to /oauth/ or /api/ looks the same: let these paths through.';

/** Whether each request is answered, and to the end. */
export const apiWholeAnswers: Rule = {
  id: 'api-whole-answers',
  area: 'api',
  worst: 'fail',
  title: 'Every request is answered, and to the end',
  checks:
    'Fails when a harmless request to the API, to OAuth or to an unknown address gets no answer, one that is no HTTP, or one that ends in the middle, while others work. The home page, documents and actors have rules of their own.',
  why: 'An app that waits for an answer which never comes shows nothing, or hangs.',
  sources: ['RFC 9112 sections 6.3 and 9.5'],
  cure: CURE,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const asked = ownAnswers(evidence).filter(({ name }) => JUDGED.has(name));
    if (asked.length === 0) return null;
    const broken = asked.filter(({ exchange }) => exchange.failure !== null);
    if (broken.length === 0) return pass(`${asked.length} requests were answered to the end.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))}: ${answerWords(exchange)}`,
    );
    return fail(`${nameAll(named)}.`, CURE);
  },
};
