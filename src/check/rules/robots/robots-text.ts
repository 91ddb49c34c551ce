import { ROBOTS_MAX_BYTES } from '../../../http/robots.ts';
import { contentTypeOf } from '../../documents/content-type-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import { showText } from '../../documents/show-text.ts';
import { standInOf } from '../../documents/stand-in-of.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const RFC_BYTES = 500 * 1_024;

const htmlCure = `The web app answers in place of the file. Put the file into the server's \`public\` folder and let nginx send it:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }

A file that allows all that directories need:

    User-agent: *
    Allow: /
    Disallow: /api/
    Allow: /api/v1/config`;

export const robotsText: Rule = {
  id: 'robots-text',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt is plain text that is read to its end',
  checks:
    'Whether the body is text and not a page, its content type, its encoding, and whether it is longer than the 500 KiB that crawlers must read. More than 512 KiB fails: what a crawl reads of it ends in the middle.',
  why: 'A page that comes in place of the file is read line by line for rules: crawlers find none, or find some that nobody wrote. What stands beyond 500 KiB does not hold.',
  sources: ['RFC 9309 sections 2.3 and 2.5'],
  cure: htmlCure,
  judge(evidence) {
    const { robots } = evidence.answers;
    if (standInOf(evidence) !== null) return null;
    if (robots === null || (robots.failure !== null && robots.failure !== 'body-too-large')) return null;
    const { status, body, failure } = robots;
    if (status === null || status < 200 || status >= 300) return null;
    if (documentOf(robots).kind === 'challenge') return null;
    if (isHtml(robots)) return warn('/robots.txt answers with a page of HTML.', htmlCure);
    const sizeCure =
      'Shorten the file: most that is so long repeats one group for thousands of robots, which `User-agent` lines in a row can share.';
    if (failure === 'body-too-large' || body.length >= ROBOTS_MAX_BYTES)
      return fail(`It is ${ROBOTS_MAX_BYTES / 1_024} KiB long or longer, and is read in part.`, sizeCure);
    if (body.length > RFC_BYTES) return warn(`It is ${Math.round(body.length / 1_024)} KiB long.`, sizeCure);
    if (body.includes(0)) {
      return warn(
        'It holds zero bytes, as text in UTF-16 does.',
        'Save the file as UTF-8:\n\n    iconv -f UTF-16 -t UTF-8 robots.txt > robots.new && mv robots.new robots.txt',
      );
    }
    const type = contentTypeOf(robots);
    if (type !== 'text/plain')
      return info(`It is sent as ${type === null ? 'no type at all' : showText(type)}, and not as text/plain.`);
    return pass(body.length === 0 ? 'It is empty: everything is allowed.' : 'It is text.');
  },
};
