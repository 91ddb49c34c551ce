import { isHostWide } from '../../http/failure.ts';
import { ROBOTS_MAX_BYTES } from '../../http/robots.ts';
import { isLocal } from '../../model/domain/domain.ts';
import { REASONS } from '../../model/reason.ts';
import { contentTypeOf, isHtml, isStillCompressed, redirectTargetOf } from '../answers.ts';
import { COMPRESSION_CURE, RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import { documentOf, robotsOf } from '../documents/document.ts';
import { fail, info, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { allAnswersFail, placeholderPageOf, redirectsToOtherHost } from '../server-state.ts';

export const robotsAvailable: Rule = {
  id: 'robots-available',
  area: 'robots',
  worst: 'fail',
  cureFor: 'loops',
  title: 'robots.txt can be fetched',
  checks:
    'Whether `/robots.txt` answers 200 or 404. Fails for a server error, a 429 and no answer. Reports a 401 or 403 as info, because the standard reads it as "no rules".',
  why: 'A crawler that cannot read robots.txt must send no other request, since everything might be forbidden. Directories then list the server as down, although it works in a browser.',
  sources: ['RFC 9309 section 2.3.1'],
  cure: `Make the web server send the file itself, without PHP and without rate limits:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; access_log off; }

A server without the file answers 404, which is fine and allows everything.`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { robots } = evidence.answers;
    if (robots === null) return null;
    const { failure, status } = robots;
    if (failure !== null || status === null) {
      if (failure !== null && isHostWide(failure)) return null;
      return fail(
        `/robots.txt gave no usable answer: ${failure === null ? 'no data arrived' : REASONS[failure].means}, so crawlers may send no other request.`,
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
    if (status >= 400) return pass(`The file does not exist (${status}), so everything is allowed.`);
    return status >= 300 ? null : pass('The file exists.');
  },
};

export const robotsRedirect: Rule = {
  id: 'robots-redirect',
  area: 'robots',
  worst: 'fail',
  cureFor: 'loops',
  title: 'robots.txt is not redirected',
  checks:
    'The target of a redirect from `/robots.txt`. Another path on the same host is info; another host warns, because some crawlers do not follow; plain http or an invalid URL fails.',
  why: 'Crawlers should follow five redirects, but many follow none for robots.txt, and then apply their own defaults.',
  sources: ['RFC 9309 section 2.3.1.2'],
  cure: `Answer \`/robots.txt\` on the host itself, before any redirect of the site:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }`,
  judge(evidence) {
    const { answers, domain } = evidence;
    const { robots } = answers;
    if (robots?.status == null || redirectsToOtherHost(evidence)) return null;
    const { status, headers, url } = robots;
    if (status < 300 || status >= 400) return status < 300 ? pass('It is not redirected.') : null;
    const location = headers.location ?? '';
    const to = URL.parse(location, url);
    if (location === '' || to === null)
      return fail(
        `/robots.txt answers ${status} without a valid target${location === '' ? '' : `: ${showText(location)}`}.`,
        robotsRedirect.cure,
      );
    // If the whole host redirects away from https, `config-redirect` reports it.
    const isPlain = to.protocol !== 'https:' && !isLocal(domain);
    if (isPlain && redirectTargetOf(answers.config)?.protocol === to.protocol) return null;
    if (isPlain) return fail(`/robots.txt redirects to ${showText(to.href)}, which is not https.`, robotsRedirect.cure);
    if (to.host === domain) return info(`/robots.txt redirects to ${showText(to.pathname)} on the same host.`);
    return warn(`/robots.txt redirects to another host: ${showText(to.href)}.`, robotsRedirect.cure);
  },
};

/** Every crawler must read this much (RFC 9309 section 2.5). */
const GUARANTEED_BYTES = 500 * 1_024;

export const robotsText: Rule = {
  id: 'robots-text',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt is plain text within the size limit',
  checks:
    'Whether the body is text instead of HTML, its content type, its encoding, and whether it is longer than the 500 KiB that crawlers must read. Fails from 512 KiB, because a crawl reads only the beginning.',
  why: 'If crawlers get an HTML page instead of the file, they parse it line by line, and find no rules or wrong ones. Rules beyond 500 KiB may not apply.',
  sources: ['RFC 9309 sections 2.3 and 2.5'],
  cure: `The web app answers instead of the file. Put the file into the \`public\` folder of the server, and make nginx send it:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }

A file that allows every path that directories need:

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
    if (isHtml(robots)) return warn('/robots.txt answers with an HTML page.', robotsText.cure);
    if (isStillCompressed(robots))
      return warn('/robots.txt is still compressed after decoding, so crawlers cannot read it.', COMPRESSION_CURE);
    const sizeCure =
      'Shorten the file. A file of this length usually repeats one group for thousands of robots; consecutive `User-agent` lines can share a group.';
    if (failure === 'body-too-large' || body.length >= ROBOTS_MAX_BYTES)
      return fail(`It is ${ROBOTS_MAX_BYTES / 1_024} KiB or longer, so crawlers read only a part of it.`, sizeCure);
    if (body.length > GUARANTEED_BYTES) return warn(`It is ${Math.round(body.length / 1_024)} KiB long.`, sizeCure);
    if (body.includes(0)) {
      return warn(
        'It contains zero bytes, like UTF-16 text.',
        'Save the file as UTF-8:\n\n    iconv -f UTF-16 -t UTF-8 robots.txt > robots.new && mv robots.new robots.txt',
      );
    }
    const type = contentTypeOf(robots);
    if (type !== 'text/plain')
      return info(`It is sent ${type === null ? 'without a type' : `as ${showText(type)}`} instead of as text/plain.`);
    return pass(body.length === 0 ? 'It is empty, so everything is allowed.' : 'It is plain text.');
  },
};

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'user-agent',
  'allow',
  'disallow',
  'sitemap',
  'crawl-delay',
  'host',
  'clean-param',
  'request-rate',
  'visit-time',
  'noindex',
  'content-signal',
  'license',
  'disallowaitraining',
  'content-usage',
  'user-agent-policy',
]);

export const robotsSyntax: Rule = {
  id: 'robots-syntax',
  area: 'robots',
  worst: 'warn',
  title: 'Every line of robots.txt is valid',
  checks:
    'Lines that are not `name: value`, unknown names, rules before the first `User-agent`, and paths that do not start with a slash, `*` or `$`. Crawlers ignore all of them.',
  why: 'Crawlers silently ignore invalid lines, so a misspelled rule does not apply.',
  sources: ['RFC 9309 section 2.2'],
  cure: `Write one \`User-agent\` line, then its rules, each with a path that starts with a slash:

    User-agent: *
    Disallow: /api/
    Allow: /api/v1/config`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const problems = problemsIn(robots.text);
    if (problems.length === 0) return pass('Crawlers ignore no line.');
    return warn(`Crawlers ignore: ${listItems(problems, '; ')}.`, robotsSyntax.cure);
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
    if (colon < 1 || !KNOWN_KEYS.has(key))
      problems.push(`line ${index + 1}, ${showValue(content.trim().slice(0, 60))}`);
    else if (isRule && !hasAgent) problems.push(`line ${index + 1}, a rule before the first User-agent`);
    else if (isRule && value !== '' && !/^[/*$]/.test(value))
      problems.push(`line ${index + 1}, the path ${showValue(value.slice(0, 60))} without a slash`);
  }
  return problems;
}
