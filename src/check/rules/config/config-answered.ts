import { isShared } from '../../../identify/shared-failure.ts';
import { REASONS } from '../../../record/reason.ts';
import { answerCure } from '../../answer-cure.ts';
import { documentOf } from '../../documents/document-of.ts';
import { failsAsConfig } from '../../documents/fails-as-config.ts';
import { isDown } from '../../documents/is-down.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { showText } from '../../documents/show-text.ts';
import type { Evidence } from '../../evidence.ts';
import { fail, pass } from '../../judgement.ts';
import { RATE_LIMIT_CURE, rateLimitWords } from '../../rate-limit-words.ts';
import type { Rule } from '../../rule.ts';

const PATH = '/api/v1/config';

const cure = `Look at what the server wrote down when it was asked:

    tail -n 50 storage/logs/laravel.log
    tail -n 50 /var/log/nginx/error.log

Then clear what it keeps, and start PHP anew:

    php artisan optimize:clear
    sudo systemctl restart 'php*-fpm'`;

export const configAnswered: Rule = {
  id: 'config-answered',
  area: 'config',
  worst: 'fail',
  title: 'The server answers requests, that for the configuration first of all',
  checks:
    '`GET /api/v1/config` brings a whole answer that is neither a server error nor 429. Where nothing else that a program answers is answered either, this rule alone says so; a robots.txt is often sent all the same, as the web server does that itself. DNS, connection and TLS have rules of their own.',
  why: 'Apps ask for config before anything else, for five seconds, and say "not compatible or unavailable" when nothing usable comes.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4'],
  cure,
  judge(evidence) {
    const { config } = evidence.answers;
    const reading = documentOf(config);
    const limited = evidence.visit.steps.find(({ status }) => status === 429);
    if (reading.kind === 'unasked' && limited !== undefined && evidence.answers.robots?.status !== 429)
      return fail(
        `${limited.url} answers 429 Too Many Requests. ${rateLimitWords(null, evidence)} Nothing else was asked.`,
        RATE_LIMIT_CURE,
      );
    if (!isDown(evidence) && !mayBeService(evidence)) return null;
    if (reading.kind === 'unasked' || reading.kind === 'challenge') return null;
    if (reading.kind === 'failure') {
      if (isShared(reading.failure)) return null;
      const said = reading.detail === null ? '' : ` (${showText(reading.detail)})`;
      return ofOutage(evidence, `${PATH} gave no usable answer: ${REASONS[reading.failure].means}${said}.`);
    }
    const status = config?.status ?? 0;
    if (status === 429)
      return fail(`${PATH} answers 429 Too Many Requests. ${rateLimitWords(config, evidence)}`, RATE_LIMIT_CURE);
    return status >= 500 ? ofOutage(evidence, `${PATH} answers ${status}.`) : pass('It does.');
  },
};

/** @param what came of the request, as a sentence. */
function ofOutage(evidence: Evidence, what: string) {
  const { domain, answers } = evidence;
  const cureAtHand = answerCure(documentOf(answers.config), domain, PATH) ?? cure;
  if (isDown(evidence)) {
    const file = robotsOf(evidence) === null ? '' : ' The web server itself runs: robots.txt is answered.';
    return fail(`Nothing that a program answers works. ${what}${file}`, cureAtHand);
  }
  const too = failsAsConfig(evidence) ? ' The same holds for /.well-known/nodeinfo.' : '';
  return fail(`${what}${too}`, cureAtHand);
}
