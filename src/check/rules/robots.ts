import { ROBOTS_TOKEN } from '../../http/robots.ts';
import { asksNoindex } from '../../identify/noindex.ts';
import { documentOf, identificationTargets, robotsOf, valueAt } from '../documents/document.ts';
import { fail, info, listItems, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail, mayBeLoops } from '../server-state.ts';
import { robotsAvailable, robotsRedirect, robotsSyntax, robotsText, robotsTooLong } from './robots-file.ts';

const robotsNamesLoopscout: Rule = {
  id: 'robots-names-loopscout',
  worst: 'fail',
  title: `No group of robots.txt excludes ${ROBOTS_TOKEN}`,
  checks: `Whether a group names \`${ROBOTS_TOKEN}\`, and whether it forbids \`/\`, config, NodeInfo discovery or the NodeInfo document. Loopscout obeys such a group for every path, in its \`standard\` and its \`strict\` mode.`,
  why: 'A group that names a crawler is the way to exclude it. Loopscout obeys it: if the group forbids `/` or config, the server is not listed; if it forbids NodeInfo, its counts stay unknown.',
  sources: ['RFC 9309 section 2.2.1'],
  cure: `If the server should be listed, remove the group from robots.txt, or replace its rules; \`Disallow: /\` keeps the server unlisted even with \`Allow\` lines for single paths:

    User-agent: ${ROBOTS_TOKEN}
    Allow: /

If it should not be listed, nothing needs to be done.`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const { group, forbiddenBy } = robots.robotsFor();
    if (group !== 'named') return pass('No group names it.');
    const forbidden = identificationTargets(evidence).filter(({ target }) => forbiddenBy(target) !== null);
    if (forbidden.length === 0 && forbiddenBy('/') !== null)
      return fail(`A group names ${ROBOTS_TOKEN} and forbids it /, so the server is not listed.`);
    if (forbidden.length === 0) return info(`A group names ${ROBOTS_TOKEN}, and allows every path that it requests.`);
    return fail(`A group names ${ROBOTS_TOKEN} and forbids it ${listItems(forbidden.map(({ target }) => target))}.`);
  },
};

const closedCure = `\`Disallow: /\` in the \`User-agent: *\` group of \`public/robots.txt\` closes everything. If that is not intended, remove the line. Otherwise, add these lines below it, so that directories can still see the server:

    Allow: /api/v1/config
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`;

export const robotsConfig: Rule = {
  id: 'robots-config',
  worst: 'warn',
  title: 'robots.txt allows every crawler to read the configuration',
  checks:
    'Whether the `*` group allows `/api/v1/config`. Warns when the group forbids the whole server. If it forbids only a part that contains config, this is info: the file that Loops ships does so with `Disallow: /api/`. In its `standard` mode, Loopscout still reads config, because the endpoint is documented as public; in its `strict` mode, it does not.',
  why: 'Only config contains limits, features and registration settings. Crawlers that follow robots.txt strictly list the server without them, and do not list a server with federation off.',
  sources: ['RFC 9309 section 2.2.2', 'Interface specification 4 (endpoint 7) and 4.4'],
  cure: `One more line in the \`User-agent: *\` group is enough; the longest match wins, so \`Disallow: /api/\` may stay:

    Allow: /api/v1/config

An update of Loops may replace \`public/robots.txt\`, so change a copy of it, and make the web server send that copy. In nginx:

    location = /robots.txt { alias /etc/nginx/loops-robots.txt; default_type text/plain; }`,
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const forbiddenBy = robotsOf(evidence)?.robotsFor().forbiddenBy('/api/v1/config');
    if (forbiddenBy === undefined || forbiddenBy === 'named') return null;
    if (forbiddenBy === null) return pass('/api/v1/config is allowed in every mode of Loopscout.');
    const isAllForbidden = robotsOf(evidence)?.robotsFor().forbiddenBy('/') === 'everyone';
    return isAllForbidden
      ? warn(
          'The group for every crawler forbids the whole server, /api/v1/config too. In its `standard` mode, Loopscout reads it anyway; stricter crawlers will not.',
          closedCure,
        )
      : info(
          'The group for every crawler forbids /api/v1/config, as the file that Loops ships does with "Disallow: /api/". In its `standard` mode, Loopscout reads it anyway; stricter crawlers need the line "Allow: /api/v1/config".',
        );
  },
};

/** The paths of NodeInfo in Loops. A cure never contains a path chosen by the server. */
const STANDARD_PATHS: ReadonlySet<string> = new Set(['/.well-known/nodeinfo', '/nodeinfo/2.0']);

function nodeInfoCureFor(isStandard: boolean): string {
  const lines =
    'Add to the `User-agent: *` group of robots.txt:\n\n    Allow: /.well-known/nodeinfo\n    Allow: /nodeinfo/2.0';
  return isStandard ? lines : `${lines}\n\nand an \`Allow\` line for the path that discovery names.`;
}

const robotsNodeInfo: Rule = {
  id: 'robots-nodeinfo',
  worst: 'fail',
  title: 'robots.txt allows every crawler to read NodeInfo',
  checks:
    'Whether the `*` group allows NodeInfo discovery and the document that it advertises. If it forbids them, warns while config identifies the software, and fails otherwise.',
  why: 'Every directory of the fediverse reads NodeInfo, and most read nothing else. Without it a server has no user counts, or is not listed at all.',
  sources: ['RFC 9309 section 2.2.2', 'NodeInfo protocol 2.0'],
  cure: nodeInfoCureFor(true),
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const { forbiddenBy } = robots.robotsFor();
    const targets = identificationTargets(evidence).filter(({ name }) => name !== 'config');
    if (targets.some(({ target }) => forbiddenBy(target) === 'named')) return null;
    const forbidden = targets.filter(({ target }) => forbiddenBy(target) === 'everyone').map(({ target }) => target);
    if (forbidden.length === 0) return pass('NodeInfo is allowed.');
    const cure = nodeInfoCureFor(forbidden.every((target) => STANDARD_PATHS.has(target)));
    const detail = `The group for every crawler forbids ${listItems(forbidden.map(showText))}.`;
    const config = documentOf(evidence.answers.config);
    return config.kind === 'object' && typeof valueAt(config.document, 'app.software') === 'string'
      ? warn(`${detail} Config still identifies the software, but the user and post counts stay unknown.`, cure)
      : fail(`${detail} Config does not identify the software either, so it stays unknown.`, cure);
  },
};

const DOCUMENTS = ['config', 'discovery', 'nodeinfo'] as const;

const robotsNoindex: Rule = {
  id: 'robots-noindex',
  worst: 'fail',
  title: 'The headers of config and NodeInfo do not ask to be excluded',
  checks: `Whether the answers of config, NodeInfo discovery and NodeInfo carry \`X-Robots-Tag: noindex\` or \`none\`, addressed to everyone or to \`${ROBOTS_TOKEN}\`. Loopscout ignores the header on other pages and other hosts.`,
  why: 'Loopscout honours the header: a server that sends it with these documents is visited, but not published, neither in current nor in historical exports.',
  sources: ['robots meta tag and X-Robots-Tag (Google Search Central)'],
  cure: `If the server should be listed, remove the header from these answers. In nginx, it often comes from a line for the whole API:

    # add_header X-Robots-Tag "noindex";

To keep pages out of search engines and stay in directories, name the search engines:

    add_header X-Robots-Tag "googlebot: noindex, bingbot: noindex";`,
  judge(evidence) {
    if (allAnswersFail(evidence)) return null;
    const { answers } = evidence;
    const answered = DOCUMENTS.filter((name) => {
      const exchange = answers[name];
      // Like a visit, which ignores the header on another host.
      return exchange !== null && (exchange.status ?? 500) < 500 && URL.parse(exchange.url)?.host === evidence.domain;
    });
    if (answered.length === 0) return null;
    const asking = answered.filter((name) => asksNoindex(answers[name]?.headers['x-robots-tag'], ROBOTS_TOKEN));
    if (asking.length > 0)
      return fail(`The X-Robots-Tag of ${listItems(asking)} asks not to publish the server, so it is not listed.`);
    if (asksNoindex(answers.home?.headers['x-robots-tag'], ROBOTS_TOKEN))
      return info(
        'The home page asks search engines not to list it (X-Robots-Tag). Config and NodeInfo do not, and only those matter here.',
      );
    return pass('No X-Robots-Tag asks to exclude the server.');
  },
};

/** The longest pause between two requests of a visit, whatever `Crawl-delay` says. */
const MAX_DELAY_SECONDS = 5;

const robotsCrawlDelay: Rule = {
  id: 'robots-crawl-delay',
  worst: 'info',
  title: 'robots.txt does not ask for long pauses',
  checks: `Reports a \`Crawl-delay\` for Loopscout of more than ${MAX_DELAY_SECONDS} seconds as info. A visit of Loopscout then waits ${MAX_DELAY_SECONDS} seconds between requests; it reads only four documents.`,
  why: 'The line is not part of the standard. Some crawlers follow it strictly and drop a server that asks for minutes between two requests; others ignore it.',
  sources: ['RFC 9309 section 2.2.4'],
  cure: `Remove the line, or ask for a few seconds; a rate limit of the web server protects better against many requests:

    Crawl-delay: 2`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const seconds = robots.robotsFor().crawlDelaySeconds;
    if (seconds === null) return pass('robots.txt asks Loopscout for no pauses.');
    if (seconds <= MAX_DELAY_SECONDS) return pass(`Crawl-delay is ${seconds} s, which a visit of Loopscout obeys.`);
    return info(
      `Crawl-delay is ${seconds} s. A visit of Loopscout waits ${MAX_DELAY_SECONDS} s between requests; crawlers that obey the full delay may give up.`,
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
  worst: 'info',
  title: 'No known crawler is excluded from config and NodeInfo by name',
  checks: `Which well-known crawlers a group that names them forbids to read config or NodeInfo: ${Object.entries(
    CRAWLERS,
  )
    .map(([kind, tokens]) => `${kind} (${tokens.map((token) => `\`${token}\``).join(', ')})`)
    .join('; ')}. This is your decision, so the rule only reports info.`,
  why: 'Block lists of robots are copied from site to site. Sometimes they include a directory in which you want to be listed.',
  sources: ['RFC 9309 section 2.2.1'],
  cure: `To admit one of them again, remove its \`User-agent\` line from robots.txt, or allow the paths that it needs:

    User-agent: FediDB
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const targets = identificationTargets(evidence).map(({ target }) => target);
    const excluded = Object.entries(CRAWLERS).flatMap(([kind, tokens]) => {
      const refused = tokens.filter((token) => {
        const { forbiddenBy } = robots.robotsFor(token);
        return targets.some((target) => forbiddenBy(target) === 'named');
      });
      return refused.length === 0 ? [] : [`${kind}: ${listItems(refused)}`];
    });
    if (excluded.length === 0) return pass('No known crawler is excluded from config and NodeInfo by name.');
    return info(`Excluded by name: ${excluded.join('; ')}.`);
  },
};

export const robotsRules: readonly Rule[] = [
  robotsAvailable,
  robotsRedirect,
  robotsText,
  robotsTooLong,
  robotsSyntax,
  robotsNamesLoopscout,
  robotsConfig,
  robotsNodeInfo,
  robotsNoindex,
  robotsCrawlers,
  robotsCrawlDelay,
];
