import { answerCure } from '../../answer-cure.ts';
import { answerWords } from '../../answer-words.ts';
import { apiIsPages } from '../../api-is-pages.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isService } from '../../is-service.ts';
import { jsonOf } from '../../json-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const CURE =
  'Let the web server show no error page of its own in place of the answers of Loops, and let it pass /api/ on whole; in nginx:\n\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;';

/** Whether a video that there is not is answered as such. */
export const apiUnknownVideo: Rule = {
  id: 'api-unknown-video',
  area: 'api',
  worst: 'warn',
  title: 'An unknown video is answered 404 in JSON',
  checks: 'Asks `GET /api/v1/video/0`, an id that no video has, without a token. Warns for anything but 404 in JSON.',
  why: 'Videos are deleted. An app shows "this video is gone" for 404, and an error, or nothing for ever, for anything else.',
  sources: ['Specification section 4, endpoint 6', 'RFC 9110 section 15.5.5'],
  cure: CURE,
  judge(evidence) {
    const exchange = evidence.answers['unknown-video'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || apiIsPages(evidence) || challengeOf(exchange) !== null) return null;
    const said = `GET /api/v1/video/0 gives ${answerWords(exchange)}`;
    if ((status === 404 || status === 410) && jsonOf(exchange) !== null) return pass(`${said}.`);
    if (status === 401 || status === 403) {
      return warn(
        `${said}: videos are to be seen without a token.`,
        answerCure({ kind: 'status', status }, evidence.domain, '/api/v1/video/0') ?? CURE,
      );
    }
    return warn(`${said}, and not 404 in JSON.`, CURE);
  },
};
