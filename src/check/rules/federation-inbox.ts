import { answerWords, challengeOf, isHtml } from '../answers.ts';
import { answerCure, CHANGED_CODE_CURE } from '../cures.ts';
import { documentOf } from '../documents/document.ts';
import { fail, pass, type Rule, warn } from '../rule.ts';
import { causeInAnswer } from '../server-error.ts';
import { allAnswersFail, declaresFederation, isLoops } from '../server-state.ts';

const PATH = '/ap/inbox';
const PASS_TO_LOOPS_CURE =
  'Make the web server pass POST requests under /ap/ to Loops. In nginx:\n\n    location ^~ /ap/ {\n        try_files $uri /index.php?$query_string;\n    }\n\nIf the routes of an older version are still cached, clear them:\n\n    php artisan optimize:clear';
const REDIRECT_CURE =
  'Remove the redirect for this path: other servers do not repeat a delivery elsewhere. This finds the redirects of nginx:\n\n    grep -rnE "return 30|rewrite " /etc/nginx/';
const SERVER_ERROR_CURE =
  'Before Loops looks for a signature, it only reads its settings from the cache and the database, so one of these probably fails. The log contains the cause:\n\n    tail -n 50 storage/logs/laravel.log\n\nAfter an update, run the migrations and clear the caches of the old version:\n\n    php artisan migrate --force\n    php artisan optimize:clear';

export const federationInbox: Rule = {
  id: 'federation-inbox',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The shared inbox answers, and refuses unsigned deliveries',
  checks:
    'Sends an empty JSON object without a signature to `POST /ap/inbox`. Loops answers 401 (403 with authorised fetch, 404 while federation is off); any 4xx passes, except 404 and 405 while federation is on, which warn. Fails for a server error, for no complete answer and for a page with status 2xx; warns for a redirect and an accepted delivery. Judges no 429. Only the command `check` sends this request.',
  why: 'Other servers deliver videos, follows and comments here. While it fails they postpone their deliveries, and after some days they give up. What Loops does with an accepted delivery cannot be seen from outside: `php artisan horizon:status` shows whether its queue works.',
  sources: ['ActivityPub section 7.1.3', 'RFC 9110 section 15.6'],
  cure: SERVER_ERROR_CURE,
  judge(evidence) {
    const exchange = evidence.answers.inbox;
    if (!isLoops(evidence) || exchange === null || allAnswersFail(evidence)) return null;
    if (challengeOf(exchange) !== null || exchange.status === 429) return null;
    const { status, failure } = exchange;
    const result = `POST ${PATH} without a signature gives ${answerWords(exchange)}`;
    if (status === null || failure !== null || status >= 500) {
      const cause = causeInAnswer(exchange);
      const detail = `${result}: deliveries of other servers fail.${cause === null ? '' : ` ${cause.detail}`}`;
      const cure = status === 500 ? null : answerCure(documentOf(exchange), evidence.domain, PATH);
      return fail(detail, cause?.cure ?? cure ?? SERVER_ERROR_CURE);
    }
    if (status < 300 && isHtml(exchange))
      return fail(`${result}: the web app was sent instead of an answer, so deliveries are lost.`, PASS_TO_LOOPS_CURE);
    if (status < 300) return warn(`${result}: unsigned deliveries must be refused.`, CHANGED_CODE_CURE);
    if (status < 400) return warn(`${result}: deliveries are lost.`, REDIRECT_CURE);
    if ((status === 404 || status === 405) && declaresFederation(evidence))
      return warn(`${result}, although federation is on: deliveries are lost.`, PASS_TO_LOOPS_CURE);
    return pass(`${result}.`);
  },
};
