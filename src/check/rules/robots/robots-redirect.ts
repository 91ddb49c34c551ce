import { movedAway } from '../../documents/moved-away.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import { redirectTarget } from '../../redirect-target.ts';
import type { Rule } from '../../rule.ts';

const cure = `Answer \`/robots.txt\` on the host itself, before any redirect of the site:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }`;

export const robotsRedirect: Rule = {
  id: 'robots-redirect',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt is not redirected',
  checks:
    'Where `/robots.txt` redirects to. Another address of the host is worth knowing; another host costs those crawlers that do not follow; plain http or no address at all fails.',
  why: 'Crawlers should follow five redirects, but many follow none for robots.txt, and each then decides for itself what is allowed.',
  sources: ['RFC 9309 section 2.3.1.2'],
  cure,
  judge(evidence) {
    const { answers, domain } = evidence;
    const { robots } = answers;
    if (robots?.status == null || movedAway(evidence)) return null;
    const { status, headers, url } = robots;
    if (status < 300 || status >= 400) return status < 300 ? pass('It is answered where it is asked for.') : null;
    const location = headers.location ?? '';
    const to = URL.parse(location, url);
    if (location === '' || to === null)
      return fail(
        `/robots.txt answers ${status}, and leads to no address${location === '' ? '' : `: ${showText(location)}`}.`,
        cure,
      );
    // Where everything is sent away from https, the rule on the configuration says so.
    if (to.protocol !== 'https:' && redirectTarget(answers.config)?.protocol === to.protocol) return null;
    if (to.protocol !== 'https:')
      return fail(`/robots.txt redirects to ${showText(to.href)}, which is not https.`, cure);
    if (to.host === domain) return info(`/robots.txt redirects to ${showText(to.pathname)} on the same host.`);
    return warn(`/robots.txt redirects to another host: ${showText(to.href)}.`, cure);
  },
};
