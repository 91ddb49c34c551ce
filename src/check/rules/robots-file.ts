import { isHostWide } from '../../http/failure.ts';
import { ROBOTS_MAX_BYTES } from '../../http/robots.ts';
import { readRobotsLines } from '../../http/robots-lines.ts';
import { isLocal } from '../../model/domain/domain.ts';
import { REASONS } from '../../model/reason.ts';
import { contentTypeOf, isHtml, isStillCompressed, redirectTargetOf } from '../answers.ts';
import { COMPRESSION_CURE, RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import { documentOf, robotsOf } from '../documents/document.ts';
import type { CheckExchange, Evidence } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { allAnswersFail, placeholderPageOf, redirectsToOtherHost } from '../server-state.ts';

export const robotsAvailable: Rule = {
  id: 'robots-available',
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
      );
    }
    if (documentOf(robots).kind === 'challenge') return null;
    if (status >= 500) return fail(`/robots.txt answers ${status}, so crawlers may send no other request.`);
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
  worst: 'fail',
  cureFor: 'loops',
  title: 'robots.txt is not redirected',
  checks:
    'The target of a redirect from `/robots.txt`. Another path on the same host is info; another host warns, because some crawlers do not follow; plain http, an invalid URL, and a target that cannot be fetched fail.',
  why: 'Crawlers should follow five redirects, but many follow none for robots.txt, and then apply their own defaults.',
  sources: ['RFC 9309 section 2.3.1.2'],
  cure: `Answer \`/robots.txt\` on the host itself, before any redirect of the site:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }`,
  judge(evidence) {
    const { answers, domain, visit } = evidence;
    const { robots } = answers;
    if (robots?.status == null || redirectsToOtherHost(evidence)) return null;
    const { status, headers, url } = robots;
    if (status < 300 || status >= 400) return status < 300 ? pass('It is not redirected.') : null;
    const location = headers.location ?? '';
    const to = URL.parse(location, url);
    if (location === '' || to === null)
      return fail(
        `/robots.txt answers ${status} without a valid target${location === '' ? '' : `: ${showText(location)}`}.`,
      );
    // If the whole host redirects away from https, `config-redirect` reports it.
    const isPlain = to.protocol !== 'https:' && !isLocal(domain);
    if (isPlain && redirectTargetOf(answers.config)?.protocol === to.protocol) return null;
    if (isPlain) return fail(`/robots.txt redirects to ${showText(to.href)}, which is not https.`);
    // The visit followed the redirect, and ended there.
    const last = visit.steps.at(-1);
    if (last?.probe === 'robots' && (visit.verdict === 'unreachable' || visit.verdict === 'declined'))
      return fail(
        `/robots.txt redirects to ${showText(to.href)}, and then cannot be fetched: ${last.failure === null ? `the answer is ${last.status}` : REASONS[last.failure].means}. Crawlers may send no other request.`,
      );
    if (to.host === domain) return info(`/robots.txt redirects to ${showText(to.pathname)} on the same host.`);
    return warn(`/robots.txt redirects to another host: ${showText(to.href)}.`);
  },
};

export const robotsText: Rule = {
  id: 'robots-text',
  worst: 'warn',
  title: 'robots.txt is plain text',
  checks: 'Whether the body is text instead of HTML, its content type and its encoding.',
  why: 'If crawlers get an HTML page instead of the file, they parse it line by line, and find no rules or wrong ones.',
  sources: ['RFC 9309 section 2.3'],
  cure: `The web app answers instead of the file. Put the file into the \`public\` folder of the server, and make nginx send it:

    location = /robots.txt { root /var/www/loops/public; default_type text/plain; }

A file that allows every path that directories need:

    User-agent: *
    Allow: /
    Disallow: /api/
    Allow: /api/v1/config`,
  judge(evidence) {
    const robots = robotsFileOf(evidence);
    if (robots === null) return null;
    const { body } = robots;
    if (isHtml(robots)) return warn('/robots.txt answers with an HTML page.');
    if (isStillCompressed(robots))
      return warn('/robots.txt is still compressed after decoding, so crawlers cannot read it.', COMPRESSION_CURE);
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

/** The answer to `/robots.txt`, if it is a file, even one that is too large to be read whole. */
function robotsFileOf(evidence: Evidence): CheckExchange | null {
  const { robots } = evidence.answers;
  if (robots === null || (robots.failure !== null && robots.failure !== 'body-too-large')) return null;
  if (robots.status === null || robots.status < 200 || robots.status >= 300) return null;
  return documentOf(robots).kind === 'challenge' || placeholderPageOf(evidence) !== null ? null : robots;
}

/** Every crawler must read this much (RFC 9309 section 2.5). */
const GUARANTEED_KIB = 500;

export const robotsTooLong: Rule = {
  id: 'robots-too-long',
  worst: 'warn',
  title: `robots.txt is at most ${GUARANTEED_KIB} KiB long`,
  checks: `Whether the file is longer than the ${GUARANTEED_KIB} KiB that every crawler must read. Loopscout reads ${ROBOTS_MAX_BYTES / 1_024} KiB, and ignores a line that is cut there.`,
  why: 'Crawlers may ignore the rest of a longer file, so they request what its last rules forbid.',
  sources: ['RFC 9309 section 2.5'],
  cure: 'Shorten the file. A file of this length usually repeats one group for thousands of robots; consecutive `User-agent` lines can share a group.',
  judge(evidence) {
    const robots = robotsFileOf(evidence);
    if (robots === null || isHtml(robots) || isStillCompressed(robots)) return null;
    const { body, failure } = robots;
    const isCut = failure === 'body-too-large' || body.length >= ROBOTS_MAX_BYTES;
    if (isCut) return warn(`It is ${ROBOTS_MAX_BYTES / 1_024} KiB or longer. Loopscout reads no more of it.`);
    return body.length > GUARANTEED_KIB * 1_024
      ? warn(`It is ${Math.ceil(body.length / 1_024)} KiB long, and crawlers may ignore the end.`)
      : pass(`Its length is ${body.length} bytes.`);
  },
};

const KNOWN_NAMES: ReadonlySet<string> = new Set([
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
  worst: 'warn',
  title: 'Every line of robots.txt is valid',
  checks:
    'Lines that are not `name: value`, unknown names, rules before the first `User-agent`, and paths that do not start with a slash, `*` or `$`.',
  why: 'Most crawlers silently ignore invalid lines. Some, as Loopscout, read usual misspellings, such as `Dissallow` or a missing colon.',
  sources: ['RFC 9309 section 2.2'],
  cure: `Write one \`User-agent\` line, then its rules, each with a path that starts with a slash:

    User-agent: *
    Disallow: /api/
    Allow: /api/v1/config`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const problems = problemsIn(robots.body);
    if (problems.length === 0) return pass('Every line is valid.');
    return warn(`Invalid: ${listItems(problems, '; ')}.`);
  },
};

function problemsIn(body: Uint8Array): string[] {
  const problems: string[] = [];
  const show = (octets: string) => showValue(Buffer.from(octets, 'latin1').toString().slice(0, 60));
  let hasAgent = false;
  for (const { number, content, name, field, value } of readRobotsLines(Buffer.from(body).toString('latin1'))) {
    const isRule = field === 'allow' || field === 'disallow';
    if (field === 'user-agent') hasAgent = true;
    if (!KNOWN_NAMES.has(name)) problems.push(`line ${number}, ${show(content)}`);
    else if (isRule && !hasAgent) problems.push(`line ${number}, a rule before the first User-agent`);
    else if (isRule && value !== '' && !/^[/*$]/.test(value))
      problems.push(`line ${number}, the path ${show(value)} without a slash`);
  }
  return problems;
}
