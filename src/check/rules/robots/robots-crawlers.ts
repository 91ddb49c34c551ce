import { nameAll } from '../../documents/name-all.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { wantedTargets } from '../../documents/wanted-targets.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Product tokens that their owners publish, by what the crawler is for. */
const CRAWLERS = {
  'directories and tools of the fediverse': ['FediDB', 'FediList', 'FediFetcher', 'fedimapper', 'poduptime', 'vmcrawl'],
  'search engines': ['Googlebot', 'Bingbot', 'DuckDuckBot', 'Applebot', 'YandexBot'],
  'AI crawlers': [
    'GPTBot',
    'ClaudeBot',
    'CCBot',
    'Google-Extended',
    'Applebot-Extended',
    'PerplexityBot',
    'Bytespider',
    'Amazonbot',
    'meta-externalagent',
  ],
} as const;

export const robotsCrawlers: Rule = {
  id: 'robots-crawlers',
  area: 'robots',
  worst: 'info',
  title: 'No known crawler is kept from config and NodeInfo by name',
  checks: `Which well-known crawlers may not read config or NodeInfo, where the \`*\` group would let them: ${Object.entries(
    CRAWLERS,
  )
    .map(([kind, tokens]) => `${kind} (${tokens.map((token) => `\`${token}\``).join(', ')})`)
    .join('; ')}. It is for you to decide, and never more than worth knowing.`,
  why: 'Lists of robots to refuse are copied from site to site. Now and then they hold a directory that you would like to be in.',
  sources: ['RFC 9309 section 2.2.1'],
  cure: `To let one of them in again, take its \`User-agent\` line out of robots.txt, or allow what it needs:

    User-agent: FediDB
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const targets = wantedTargets(evidence).map(({ target }) => target);
    const shutOut = Object.entries(CRAWLERS).flatMap(([kind, tokens]) => {
      const refused = tokens.filter((token) => {
        const { rules } = robots.robotsFor(token);
        return targets.some((target) => rules(target) === 'ours');
      });
      return refused.length === 0 ? [] : [`${kind}: ${nameAll(refused)}`];
    });
    if (shutOut.length === 0) return pass('None is refused by name.');
    return info(`Refused by name: ${shutOut.join('; ')}.`);
  },
};
