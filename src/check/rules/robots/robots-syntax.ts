import { nameAll } from '../../documents/name-all.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

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

const cure = `Write one \`User-agent\` line, then its rules, each with a path that begins with a slash:

    User-agent: *
    Disallow: /api/
    Allow: /api/v1/config`;

export const robotsSyntax: Rule = {
  id: 'robots-syntax',
  area: 'robots',
  worst: 'warn',
  title: 'Every line of robots.txt is understood',
  checks:
    'Lines that are no `name: value`, names that no crawler knows, rules before the first `User-agent`, and paths that begin neither with a slash nor with `*` or `$`. Each counts for nothing.',
  why: 'Crawlers pass over what they do not understand, without a word. A rule that is misspelt is a rule that does not hold.',
  sources: ['RFC 9309 section 2.2'],
  cure,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const problems = problemsIn(robots.text);
    if (problems.length === 0) return pass('Nothing in it is passed over.');
    return warn(`Passed over: ${nameAll(problems, '; ')}.`, cure);
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
