import { answerWords } from '../../answer-words.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import { federates } from '../../federates.ts';
import { jsonOf } from '../../json-of.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { LET_WELL_KNOWN_THROUGH } from './federation-webfinger.ts';

/** Whether WebFinger says of an account that there is not that it is not there. */
export const federationWebfingerUnknown: Rule = {
  id: 'federation-webfinger-unknown',
  area: 'federation',
  worst: 'warn',
  title: 'WebFinger says of unknown accounts that they are unknown',
  checks:
    'Asks WebFinger for an account whose name is drawn at random. It should answer 404, 400 or 410. Warns for a success or a redirect, notes a refusal that is not JSON.',
  why: 'Other servers remember what they found. One that answers for every name fills them with accounts that there are not, or has them read a page as an account.',
  sources: ['RFC 7033 section 4.2'],
  cure: LET_WELL_KNOWN_THROUGH,
  judge(evidence) {
    const { webfinger } = evidence.answers;
    const exchange = evidence.answers['webfinger-unknown'];
    if (!federates(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
    // Where WebFinger does not work at all, the rule on that says so.
    if (webfinger !== null && (jsonOf(webfinger) === null || ![200, 404].includes(webfinger.status ?? 0))) return null;
    const said = `WebFinger of an account that there is not gives ${answerWords(exchange)}`;
    if (status < 300 && isHtml(exchange))
      return warn(`${said}: the web app came in place of an answer.`, LET_WELL_KNOWN_THROUGH);
    if (status < 300)
      return warn(
        `${said}: every name looks like an account.`,
        'Take a cache or a fixed file for this address out of the web server, so that Loops answers:\n\n    location = /.well-known/webfinger {\n        try_files $uri /index.php?$query_string;\n    }',
      );
    if (status < 400) return warn(`${said}.`, LET_WELL_KNOWN_THROUGH);
    return jsonOf(exchange) !== null || exchange.body.length === 0 ? pass(`${said}.`) : info(`${said}; JSON is usual.`);
  },
};
