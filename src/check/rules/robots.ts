import { ROBOTS_TOKEN, readRobotsGroup } from '../../http/robots.ts';
import { asksNoindex } from '../../identify/noindex.ts';
import { documentOf, identificationTargets, robotsOf } from '../documents/document.ts';
import { fail, info, nameAll, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail, mayBeService } from '../server-state.ts';
import { robotsAvailable, robotsRedirect, robotsSyntax, robotsText } from './robots-file.ts';

const robotsNamesLoopscout: Rule = {
  id: 'robots-names-loopscout',
  area: 'robots',
  worst: 'fail',
  title: `No group of robots.txt shuts out ${ROBOTS_TOKEN}`,
  checks: `Whether a group names \`${ROBOTS_TOKEN}\`, and what it forbids of config, NodeInfo discovery and the NodeInfo document. Such a group is obeyed for everything, in every mode.`,
  why: 'A group that names a crawler is the way to refuse it, and is obeyed: the server is then not identified and not listed.',
  sources: ['RFC 9309 section 2.2.1'],
  cure: `If the server is to be listed, take the group out of robots.txt, or give it what it needs:

    User-agent: ${ROBOTS_TOKEN}
    Allow: /api/v1/config
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0

If it is not to be listed, all is as it should be, and nothing needs to be done.`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    if (readRobotsGroup(robots.text, ROBOTS_TOKEN).by !== 'ours') return pass('None names it.');
    const { rules } = robots.robotsFor();
    const forbidden = identificationTargets(evidence).filter(({ target }) => rules(target) !== null);
    if (forbidden.length === 0) return info(`A group names ${ROBOTS_TOKEN}, and allows all that it asks for.`);
    return fail(
      `A group names ${ROBOTS_TOKEN} and forbids it ${nameAll(forbidden.map(({ target }) => target))}.`,
      robotsNamesLoopscout.cure,
    );
  },
};

const closedCure = `\`Disallow: /\` in the \`User-agent: *\` group of \`public/robots.txt\` closes everything. If that is not meant, take the line out. If it is, these lines below it still let directories see the server:

    Allow: /api/v1/config
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`;

export const robotsConfig: Rule = {
  id: 'robots-config',
  area: 'robots',
  worst: 'warn',
  title: 'robots.txt lets every crawler read the configuration',
  checks:
    'Whether the `*` group allows `/api/v1/config`. The file that Loops ships has `Disallow: /api/` and does not: Loopscout reads config all the same in its mode `standard`, as it is documented to be public, and does not in its mode `strict`.',
  why: 'Config is the one place that tells limits, features and how registration works. Crawlers that keep to the letter of robots.txt show the server without them, and one with federation off not at all.',
  sources: ['RFC 9309 section 2.2.2', 'Interface specification 4 (endpoint 7) and 4.4'],
  cure: `Add one line to the \`User-agent: *\` group of \`public/robots.txt\`; the longest match wins, so \`Disallow: /api/\` may stay:

    Allow: /api/v1/config`,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const by = robotsOf(evidence)?.robotsFor().rules('/api/v1/config');
    if (by === undefined || by === 'ours') return null;
    if (by === null) return pass('/api/v1/config is allowed, to Loopscout in every mode.');
    const isAll = robotsOf(evidence)?.robotsFor().rules('/') === 'everyone';
    return isAll
      ? warn(
          'The group for every crawler forbids the whole server, /api/v1/config too. Loopscout reads it anyway; stricter crawlers will not.',
          closedCure,
        )
      : warn(
          'The group for every crawler forbids /api/v1/config, as the file that Loops ships does with "Disallow: /api/". Loopscout reads it anyway; stricter crawlers will not.',
          robotsConfig.cure,
        );
  },
};

/** The addresses of Loops. An address chosen by the server never appears in lines to paste. */
const STANDARD_PATHS: ReadonlySet<string> = new Set(['/.well-known/nodeinfo', '/nodeinfo/2.0']);

function cureFor(isStandard: boolean): string {
  const lines =
    'Add to the `User-agent: *` group of robots.txt:\n\n    Allow: /.well-known/nodeinfo\n    Allow: /nodeinfo/2.0';
  return isStandard ? lines : `${lines}\n\nand an \`Allow\` line for the path that discovery names.`;
}

const robotsNodeInfo: Rule = {
  id: 'robots-nodeinfo',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt lets every crawler read NodeInfo',
  checks:
    'Whether the `*` group allows NodeInfo discovery and the document that it advertises. Forbidding them warns while config tells what the server is, and fails when nothing else does.',
  why: 'Every directory of the fediverse reads NodeInfo, and most read nothing else. Without it a server has no user counts, or is not listed at all.',
  sources: ['RFC 9309 section 2.2.2', 'NodeInfo protocol 2.0'],
  cure: cureFor(true),
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const { rules } = robots.robotsFor();
    const targets = identificationTargets(evidence).filter(({ name }) => name !== 'config');
    if (targets.some(({ target }) => rules(target) === 'ours')) return null;
    const forbidden = targets.filter(({ target }) => rules(target) === 'everyone').map(({ target }) => target);
    if (forbidden.length === 0) return pass('Nothing of NodeInfo is forbidden.');
    const cure = cureFor(forbidden.every((target) => STANDARD_PATHS.has(target)));
    const detail = `The group for every crawler forbids ${nameAll(forbidden.map(showText))}.`;
    return documentOf(evidence.answers.config).kind === 'object'
      ? warn(`${detail} Config still says what the server is, but its users and posts stay unknown.`, cure)
      : fail(`${detail} As config does not say what the server is, nothing does.`, cure);
  },
};

const DOCUMENTS = ['config', 'discovery', 'nodeinfo'] as const;

const robotsNoindex: Rule = {
  id: 'robots-noindex',
  area: 'robots',
  worst: 'fail',
  title: 'Config and NodeInfo do not ask to be left out',
  checks: `Whether the answers of config, NodeInfo discovery and NodeInfo carry \`X-Robots-Tag: noindex\` or \`none\`, said to everyone or to \`${ROBOTS_TOKEN}\`. On other pages it does nothing here.`,
  why: 'Loopscout honours the header: a server that sends it with these documents is visited, but not published, neither in current nor in historical exports.',
  sources: ['robots meta tag and X-Robots-Tag (Google Search Central)'],
  cure: `If the server is to be listed, take the header off these answers. In nginx it often comes from a line for the whole API:

    # add_header X-Robots-Tag "noindex";

To keep pages out of search engines and stay in directories, name the search engines:

    add_header X-Robots-Tag "googlebot: noindex, bingbot: noindex";`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { answers } = evidence;
    const answered = DOCUMENTS.filter((name) => {
      const status = answers[name]?.status ?? 500;
      return status < 500;
    });
    if (answered.length === 0) return null;
    const asking = answered.filter((name) => asksNoindex(answers[name]?.headers['x-robots-tag'], ROBOTS_TOKEN));
    if (asking.length > 0)
      return fail(
        `X-Robots-Tag asks not to be published, on ${nameAll(asking)}, so this server is not listed.`,
        robotsNoindex.cure,
      );
    if (asksNoindex(answers.home?.headers['x-robots-tag'], ROBOTS_TOKEN))
      return info(
        'The home page asks search engines not to list it (X-Robots-Tag). Config and NodeInfo do not, and they are what counts here.',
      );
    return pass('None does.');
  },
};

/** The longest wait of Loopscout between two requests. */
const LONGEST_REST_SECONDS = 5;

const robotsCrawlDelay: Rule = {
  id: 'robots-crawl-delay',
  area: 'robots',
  worst: 'info',
  title: 'robots.txt asks for no long pauses',
  checks: `What \`Crawl-delay\` says to Loopscout, and what comes of it: it is kept up to ${LONGEST_REST_SECONDS} seconds, as a visit is four requests at most.`,
  why: 'The line is no part of the standard. Some crawlers keep to it to the letter and give a server up that asks for minutes between two requests; others never read it.',
  sources: ['RFC 9309 section 2.2.4'],
  cure: `Leave the line out, or ask for a few seconds; what many requests cost is better held off by a limit of the web server:

    Crawl-delay: 2`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const seconds = robots.robotsFor().crawlDelaySeconds;
    if (seconds === null) return pass('There is no Crawl-delay.');
    if (seconds <= LONGEST_REST_SECONDS) return pass(`Crawl-delay is ${seconds} s, which is kept.`);
    return info(
      `Crawl-delay is ${seconds} s. Loopscout waits ${LONGEST_REST_SECONDS} s between requests; crawlers that wait as long as it says may give up.`,
    );
  },
};

/** Published product tokens of crawlers, by purpose. */
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

const robotsCrawlers: Rule = {
  id: 'robots-crawlers',
  area: 'robots',
  worst: 'info',
  title: 'No known crawler is kept from config and NodeInfo by name',
  checks: `Which well-known crawlers may not read config or NodeInfo, where the \`*\` group would let them: ${Object.entries(
    CRAWLERS,
  )
    .map(([kind, tokens]) => `${kind} (${tokens.map((token) => `\`${token}\``).join(', ')})`)
    .join('; ')}. It is for you to decide, and never more than worth knowing.`,
  why: 'Block lists of robots are copied from site to site. Sometimes they include a directory in which you want to be listed.',
  sources: ['RFC 9309 section 2.2.1'],
  cure: `To let one of them in again, take its \`User-agent\` line out of robots.txt, or allow what it needs:

    User-agent: FediDB
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const targets = identificationTargets(evidence).map(({ target }) => target);
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

/** The rules of robots.txt, in report order. */
export const robotsRules: readonly Rule[] = [
  robotsAvailable,
  robotsRedirect,
  robotsText,
  robotsSyntax,
  robotsNamesLoopscout,
  robotsConfig,
  robotsNodeInfo,
  robotsNoindex,
  robotsCrawlers,
  robotsCrawlDelay,
];
