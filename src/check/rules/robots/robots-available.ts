import { isShared } from '../../../identify/shared-failure.ts';
import { REASONS } from '../../../record/reason.ts';
import { documentOf } from '../../documents/document-of.ts';
import { isDown } from '../../documents/is-down.ts';
import { fail, info, pass } from '../../judgement.ts';
import { RATE_LIMIT_CURE, rateLimitWords } from '../../rate-limit-words.ts';
import type { Rule } from '../../rule.ts';

const cure = `Let the web server send the file itself, past PHP and past every limit:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; access_log off; }

A server without the file answers 404, which is fine: then everything is allowed.`;

export const robotsAvailable: Rule = {
  id: 'robots-available',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt can be had',
  checks:
    'Whether `/robots.txt` answers 200 or 404. A server error, a 429 and silence fail; a 401 or 403 is read as "no rules" by the standard, which is worth knowing.',
  why: 'A crawler that cannot read robots.txt must ask for nothing else, as everything might be forbidden. Directories then show the server as down, though it works for people.',
  sources: ['RFC 9309 section 2.3.1'],
  cure,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const { robots } = evidence.answers;
    if (robots === null) return null;
    const { failure, status } = robots;
    if (failure !== null || status === null) {
      if (failure !== null && isShared(failure)) return null;
      return fail(
        `/robots.txt gave no usable answer: ${failure === null ? 'nothing came' : REASONS[failure].means}. So crawlers may ask for nothing.`,
        cure,
      );
    }
    if (documentOf(robots).kind === 'challenge') return null;
    if (status >= 500) return fail(`/robots.txt answers ${status}, so crawlers may ask for nothing.`, cure);
    if (status === 429)
      return fail(
        `/robots.txt answers 429 Too Many Requests, so crawlers leave at once. ${rateLimitWords(robots, evidence)}`,
        `${cure}\n\nOr raise the limit. ${RATE_LIMIT_CURE}`,
      );
    if (status === 401 || status === 403)
      return info(
        `/robots.txt answers ${status}. Crawlers read that as a file without rules, though some old ones stay away.`,
      );
    if (status >= 400) return pass(`There is none (${status}): everything is allowed.`);
    return status >= 300 ? null : pass('It is there.');
  },
};
