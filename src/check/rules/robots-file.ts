import { isHostWide } from '../../http/failure.ts';
import { ROBOTS_MAX_BYTES } from '../../http/robots.ts';
import { REASONS } from '../../model/reason.ts';
import { contentTypeOf, isHtml, redirectsTo } from '../answers.ts';
import { RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import { documentOf, robotsOf } from '../documents/document.ts';
import { fail, info, nameAll, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { allAnswersFail, placeholderPageOf, redirectsToOtherHost } from '../server-state.ts';

export const robotsAvailable: Rule = {
  id: 'robots-available',
  area: 'robots',
  worst: 'fail',
  cureFor: 'loops',
  title: 'robots.txt can be fetched',
  checks:
    'Whether `/robots.txt` answers 200 or 404. A server error, a 429 and silence fail; a 401 or 403 is read as "no rules" by the standard, which is worth knowing.',
  why: 'A crawler that cannot read robots.txt must send no other request, since everything might be forbidden. Directories then show the server as down, although it works for people.',
  sources: ['RFC 9309 section 2.3.1'],
  cure: `Let the web server send the file itself, past PHP and past every limit:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; access_log off; }

A server without the file answers 404, which is fine: then everything is allowed.`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { robots } = evidence.answers;
    if (robots === null) return null;
    const { failure, status } = robots;
    if (failure !== null || status === null) {
      if (failure !== null && isHostWide(failure)) return null;
      return fail(
        `/robots.txt gave no usable answer: ${failure === null ? 'nothing came' : REASONS[failure].means}, so crawlers may send no other request.`,
        robotsAvailable.cure,
      );
    }
    if (documentOf(robots).kind === 'challenge') return null;
    if (status >= 500)
      return fail(`/robots.txt answers ${status}, so crawlers may send no other request.`, robotsAvailable.cure);
    if (status === 429)
      return fail(
        `/robots.txt answers 429 Too Many Requests, so crawlers leave at once. ${rateLimitWords(robots, evidence)}`,
        `${robotsAvailable.cure}\n\nOr raise the limit. ${RATE_LIMIT_CURE}`,
      );
    if (status === 401 || status === 403)
      return info(
        `/robots.txt answers ${status}. Crawlers read that as a file without rules, though some old ones stay away.`,
      );
    if (status >= 400) return pass(`There is none (${status}): everything is allowed.`);
    return status >= 300 ? null : pass('It is there.');
  },
};

export const robotsRedirect: Rule = {
  id: 'robots-redirect',
  area: 'robots',
  worst: 'fail',
  cureFor: 'loops',
  title: 'robots.txt is not redirected',
  checks:
    'Where `/robots.txt` redirects to. Another address of the host is worth knowing; another host costs those crawlers that do not follow; plain http or no address at all fails.',
  why: 'Crawlers should follow five redirects, but many follow none for robots.txt, and each then decides for itself what is allowed.',
  sources: ['RFC 9309 section 2.3.1.2'],
  cure: `Answer \`/robots.txt\` on the host itself, before any redirect of the site:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }`,
  judge(evidence) {
    const { answers, domain } = evidence;
    const { robots } = answers;
    if (robots?.status == null || redirectsToOtherHost(evidence)) return null;
    const { status, headers, url } = robots;
    if (status < 300 || status >= 400) return status < 300 ? pass('It is answered where it is asked for.') : null;
    const location = headers.location ?? '';
    const to = URL.parse(location, url);
    if (location === '' || to === null)
      return fail(
        `/robots.txt answers ${status}, and leads to no address${location === '' ? '' : `: ${showText(location)}`}.`,
        robotsRedirect.cure,
      );
    // Where everything is sent away from https, the rule on the configuration says so.
    if (to.protocol !== 'https:' && redirectsTo(answers.config)?.protocol === to.protocol) return null;
    if (to.protocol !== 'https:')
      return fail(`/robots.txt redirects to ${showText(to.href)}, which is not https.`, robotsRedirect.cure);
    if (to.host === domain) return info(`/robots.txt redirects to ${showText(to.pathname)} on the same host.`);
    return warn(`/robots.txt redirects to another host: ${showText(to.href)}.`, robotsRedirect.cure);
  },
};

const RFC_BYTES = 500 * 1_024;

export const robotsText: Rule = {
  id: 'robots-text',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt is plain text within the size limit',
  checks:
    'Whether the body is text and not a page, its content type, its encoding, and whether it is longer than the 500 KiB that crawlers must read. More than 512 KiB fails: what a crawl reads of it ends in the middle.',
  why: 'Crawlers parse a page in place of the file line by line, and find no rules or wrong ones. Rules beyond 500 KiB do not apply.',
  sources: ['RFC 9309 sections 2.3 and 2.5'],
  cure: `The web app answers in place of the file. Put the file into the server's \`public\` folder and let nginx send it:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }

A file that allows all that directories need:

    User-agent: *
    Allow: /
    Disallow: /api/
    Allow: /api/v1/config`,
  judge(evidence) {
    const { robots } = evidence.answers;
    if (placeholderPageOf(evidence) !== null) return null;
    if (robots === null || (robots.failure !== null && robots.failure !== 'body-too-large')) return null;
    const { status, body, failure } = robots;
    if (status === null || status < 200 || status >= 300) return null;
    if (documentOf(robots).kind === 'challenge') return null;
    if (isHtml(robots)) return warn('/robots.txt answers with a page of HTML.', robotsText.cure);
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

const KNOWN: ReadonlySet<string> = new Set(
  [
    'user-agent',
    'allow',
    'disallow',
    'sitemap',
    'crawl-delay',
    'host',
    'clean-param',
    'request-rate',
    'visit-time',
  ].concat(['noindex', 'content-signal', 'license', 'disallowaitraining', 'content-usage', 'user-agent-policy']),
);

export const robotsSyntax: Rule = {
  id: 'robots-syntax',
  area: 'robots',
  worst: 'warn',
  title: 'Every line of robots.txt is understood',
  checks:
    'Lines that are not `name: value`, unknown names, rules before the first `User-agent`, and paths that begin neither with a slash nor with `*` or `$`. Crawlers ignore all of them.',
  why: 'Crawlers silently ignore what they do not understand. A misspelled rule does not apply.',
  sources: ['RFC 9309 section 2.2'],
  cure: `Write one \`User-agent\` line, then its rules, each with a path that begins with a slash:

    User-agent: *
    Disallow: /api/
    Allow: /api/v1/config`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const problems = problemsIn(robots.text);
    if (problems.length === 0) return pass('Nothing in it is passed over.');
    return warn(`Passed over: ${nameAll(problems, '; ')}.`, robotsSyntax.cure);
  },
};

function problemsIn(text: string): string[] {
  const problems: string[] = [];
  let hasAgent = false;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [content = ''] = line.split('#', 1);
    if (content.trim() === '') continue;
    const colon = content.indexOf(':');
    const key = content.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    const isRule = key === 'allow' || key === 'disallow';
    if (key === 'user-agent') hasAgent = true;
    if (colon < 1 || !KNOWN.has(key)) problems.push(`line ${index + 1}, ${showValue(content.trim().slice(0, 60))}`);
    else if (isRule && !hasAgent) problems.push(`line ${index + 1}, a rule before the first User-agent`);
    else if (isRule && value !== '' && !/^[/*$]/.test(value))
      problems.push(`line ${index + 1}, the path ${showValue(value.slice(0, 60))} without a slash`);
  }
  return problems;
}
