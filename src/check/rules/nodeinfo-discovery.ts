import { isHostWide } from '../../http/failure.ts';
import { isUsualPort, parseHref } from '../../identify/documents.ts';
import { asObject, property } from '../../identify/field-reader.ts';
import { hostOf, isLocal, originOf, portOf } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { REASONS } from '../../model/reason.ts';
import { jsonOf, leadsInside, pathOf, redirectLoopWords } from '../answers.ts';
import {
  answerCure,
  HIDDEN_FILES_CURE,
  HOST_CURE,
  INNER_REDIRECT_CURE,
  JSON_CURES,
  LOOP_CURE,
  RATE_LIMIT_CURE,
  rateLimitWords,
  SCHEME_CURE,
  STALE_SETTINGS_CURE,
} from '../cures.ts';
import { discoveryOf, documentOf, linksOf, nodeInfo20Link } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { isNodeInfoHidden, isWellKnownBlocked, mayBeLoops, shouldJudgeNodeInfo } from '../server-state.ts';

export const nodeInfoFederation: Rule = {
  id: 'nodeinfo-federation',
  worst: 'info',
  title: 'Federation is on, or NodeInfo answers',
  checks:
    'Whether federation is off in config, and NodeInfo therefore answers 404, as it does in Loops. The other NodeInfo rules are then skipped.',
  why: 'With federation off, a server has no NodeInfo: directories that read only NodeInfo do not find it, and others lack its user and post counts. Loopscout identifies it by its configuration.',
  sources: ['Interface specification 2.5 (federation)'],
  cure: 'This is not a fault. To make the server and its counts visible to the whole fediverse, switch federation on in the admin settings.',
  judge(evidence) {
    const config = documentOf(evidence.answers.config);
    if (config.kind !== 'object') return null;
    const federation = property(config.document, 'federation');
    if (isNodeInfoHidden(evidence))
      return info(
        'Federation is off, so Loops hides NodeInfo. User and post counts stay unknown, and directories that read only NodeInfo do not find the server.',
      );
    if (federation === true) return pass('Federation is on.');
    const doesNodeInfoAnswer = documentOf(evidence.answers.discovery).kind === 'object';
    return federation === false && doesNodeInfoAnswer ? pass('Federation is off, but NodeInfo answers.') : null;
  },
};

const PATH = '/.well-known/nodeinfo';

const redirectCure = `Exclude /.well-known/ from the redirects of the site. This finds them in nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/

In the server block, add a separate location above them:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }`;

const FEDERATION_OFF_CURE = `If federation should be off, only config can identify the server: see the findings about it. Otherwise switch it on in the admin settings; if it is on there, Loops reads an outdated setting:

    php artisan cache:clear`;

export const nodeInfoDiscovery: Rule = {
  id: 'nodeinfo-discovery',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo discovery answers',
  checks:
    '`GET /.well-known/nodeinfo` answers 200 on the host itself. 404 is accepted while federation is off; a 404 in JSON while config says that it is on shows outdated settings. A redirect within the host is info; an endless one, a redirect to another host and any other status fail.',
  why: 'Directories and servers of the fediverse start here to identify the software of a server. Most have no other method.',
  sources: ['Interface specification 2.6 and 4.4', 'NodeInfo protocol 2.0'],
  cure: `Make the web server pass this path to Loops. ${HIDDEN_FILES_CURE}`,
  judge(evidence) {
    if (!shouldJudgeNodeInfo(evidence)) return null;
    const reading = documentOf(evidence.answers.discovery);
    switch (reading.kind) {
      case 'not-requested':
      case 'challenge':
        return null;
      case 'failure':
        if (isHostWide(reading.failure)) return null;
        return fail(
          `${PATH} gave no usable answer: ${REASONS[reading.failure].means}.`,
          answerCure(reading, evidence.domain, PATH),
        );
      case 'redirect': {
        const loop = redirectLoopWords(evidence.answers.discovery);
        if (loop !== null) return fail(`${PATH} ${loop}.`, LOOP_CURE);
        if (reading.to !== null && reading.to.origin === originOf(evidence.domain))
          return info(`${PATH} redirects to ${pathOf(reading.to)}; most clients follow.`);
        return fail(
          `${PATH} redirects to ${showText(reading.to?.href ?? reading.location)}.`,
          reading.to !== null && leadsInside(reading.to, evidence) ? INNER_REDIRECT_CURE : redirectCure,
        );
      }
      case 'status': {
        const config = documentOf(evidence.answers.config);
        const mayFederationBeOff = config.kind !== 'object' || property(config.document, 'federation') !== true;
        if (reading.status === 429)
          return fail(
            `${PATH} answers 429 Too Many Requests. ${rateLimitWords(evidence.answers.discovery, evidence)}`,
            RATE_LIMIT_CURE,
          );
        // Loops hides NodeInfo with a 404 in JSON; the web server would answer with a page.
        if (reading.status === 404 && mayBeLoops(evidence) && jsonOf(evidence.answers.discovery) !== null)
          return mayFederationBeOff
            ? fail(`${PATH} answers 404 as JSON, as Loops does while federation is off.`, FEDERATION_OFF_CURE)
            : fail(
                `${PATH} answers 404 as JSON, although config says that federation is on: Loops reads an outdated setting.`,
                STALE_SETTINGS_CURE,
              );
        if (isWellKnownBlocked(evidence))
          return fail(
            `${PATH} answers ${reading.status}, while the API works: the web server blocks /.well-known/.`,
            HIDDEN_FILES_CURE,
          );
        return fail(`${PATH} answers ${reading.status}.`, answerCure(reading, evidence.domain, PATH));
      }
      default: {
        const { discovery } = evidence.answers;
        if (discovery === null || discovery.followed.length === 0) return pass('NodeInfo discovery answers.');
        return info(`${PATH} redirects to ${pathOf(new URL(discovery.url))}; most clients follow.`);
      }
    }
  },
};

export const nodeInfoDiscoveryJson: Rule = {
  id: 'nodeinfo-discovery-json',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The discovery document is a JSON object',
  checks: 'The body of `/.well-known/nodeinfo` is a single JSON object.',
  why: 'If clients get an HTML page or a broken document, they assume that the server has no NodeInfo.',
  sources: ['Interface specification 2.6', 'RFC 8259'],
  cure: `Check that the path reaches Loops instead of the web app, and that nothing is written before or after the JSON. In the server block of nginx:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`,
  judge(evidence) {
    if (!shouldJudgeNodeInfo(evidence)) return null;
    const reading = documentOf(evidence.answers.discovery);
    if (reading.kind === 'object') return pass('It is a JSON object.');
    if (reading.kind !== 'not-json') return null;
    return fail(`The body of /.well-known/nodeinfo ${reading.problem.text}.`, JSON_CURES[reading.problem.code]);
  },
};

export const nodeInfoLinks: Rule = {
  id: 'nodeinfo-links',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The discovery document lists links',
  checks:
    '`links` is a list with at least one entry. Some software serves a single link or an object of links, which few clients besides Loopscout read; a NodeInfo document at the well-known path itself violates the standard.',
  why: 'Strict clients treat anything but a list as missing NodeInfo.',
  sources: ['Interface specification 2.6', 'RFC 7033 section 4.4.4'],
  cure: `Serve a list of links, and the document at the URL in the list:

    {"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://DOMAIN/nodeinfo/2.0"}]}

Loops does this itself: look for a file in \`public/.well-known/\` or a proxy setting that answers instead.`,
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null) return null;
    const links = property(document, 'links');
    if (Array.isArray(links))
      return links.length > 0
        ? pass(`It lists ${links.length === 1 ? '1 link' : `${links.length} links`}.`)
        : fail('links is an empty list.');
    if (links !== undefined)
      return fail(`links is ${asObject(links) === null ? showValue(links) : 'an object'}, not a list.`);
    if (asObject(property(document, 'software')) !== null)
      return fail('The NodeInfo document itself is served at the well-known path, which must only link to it.');
    const names = Object.keys(document).map(showText);
    return fail(names.length === 0 ? 'The document is empty.' : `The document has no links, only ${listItems(names)}.`);
  },
};

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/';

export const nodeInfoRel: Rule = {
  id: 'nodeinfo-rel',
  worst: 'fail',
  title: 'Discovery has an entry for NodeInfo 2.0',
  checks: `The \`rel\` of the entry that is followed is \`${SCHEMA}2.0\` exactly. Warns when the \`rel\` only ends with \`/schema/2.0\`; fails when no entry does. An additional entry for 2.1 is fine.`,
  why: 'Clients choose an entry by its `rel`. Loops and the crawler of Loopscout read only version 2.0, so without that entry NodeInfo does not identify the server.',
  sources: ['Interface specification 2.6 and 4.4', 'NodeInfo protocol 2.0'],
  cure: `Add an entry for version 2.0 with exactly this \`rel\`: http, without a trailing slash; it is an identifier, not a URL to open. Entries for 2.1 may stay:

    {"rel":"${SCHEMA}2.0","href":"https://DOMAIN/nodeinfo/2.0"}`,
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null || !hasLinks(document)) return null;
    const rels = linksOf(document).map(({ rel }) => rel);
    const link = nodeInfo20Link(document);
    if (link === null) return fail(describeMissingRel(rels));
    if (link.rel !== `${SCHEMA}2.0`) return warn(`The rel of the 2.0 entry is ${showValue(link.rel)}.`);
    const others = versionsIn(rels).filter((version) => version !== '2.0');
    return pass(others.length === 0 ? 'It has one.' : `It has one, and also ${listItems(others)}, which is fine.`);
  },
};

/** Whether `links` is a list with entries, or an object; `nodeinfo-links` reports anything else. */
function hasLinks(document: Parameters<typeof linksOf>[0]): boolean {
  const { links } = document;
  return Array.isArray(links) ? links.length > 0 : typeof links === 'object' && links !== null;
}

function describeMissingRel(rels: readonly unknown[]): string {
  const versions = versionsIn(rels);
  if (versions.length > 0) return `Discovery offers NodeInfo ${listItems(versions)}, but not 2.0.`;
  if (rels.every((rel) => rel === undefined)) return 'No entry has a rel; names in JSON are case-sensitive.';
  return `No rel ends with /schema/2.0: ${listItems(rels.map(showValue))}.`;
}

function versionsIn(rels: readonly unknown[]): string[] {
  return rels.flatMap((rel) => {
    const version = typeof rel === 'string' ? /\/schema\/(\d\.\d)$/.exec(rel)?.[1] : undefined;
    return version === undefined ? [] : [version];
  });
}

const HREF_CURE = `Use the full URL, with the scheme and host of this server and no other port:

    https://DOMAIN/nodeinfo/2.0

${HOST_CURE}`;

export const nodeInfoHref: Rule = {
  id: 'nodeinfo-href',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The link to NodeInfo is a full https URL',
  checks:
    'The `href` of the 2.0 entry: absolute, on a public host, without user name, on port 80, 443 or that of the server. Plain http warns; a double slash or a fragment is info.',
  why: 'Clients follow the URL exactly. Loopscout does not complete a partial URL, and uses no other port.',
  sources: ['Interface specification 4.4', 'RFC 3986 section 4.3'],
  cure: `${HREF_CURE}

If it begins with http: ${SCHEME_CURE}`,
  judge(evidence) {
    const document = discoveryOf(evidence);
    const link = document === null ? null : nodeInfo20Link(document);
    return link === null ? null : judgeHref(link.href, evidence);
  },
};

function judgeHref(href: unknown, evidence: Evidence) {
  const { domain } = evidence;
  if (href === undefined || href === null) return fail('The entry has no href.', HREF_CURE);
  if (typeof href !== 'string') return fail(`href is ${showValue(href)}, not a string.`, HREF_CURE);
  const shown = `href is ${showValue(href)}`;
  const parsed = parseHref(href);
  if (parsed === null) return fail(`${shown}, ${explainInvalid(href)}.`, HREF_CURE);
  const { url, target } = parsed;
  if (url.origin !== originOf(domain) && isLocal(domain))
    return info(`${shown}, on another host or port than the one checked, so it is not requested.`);
  // The suffix of the checked host is accepted even if it is not a public one.
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  if (!isLocal(domain) && !parseDomain(url.host, { allowSuffixes: [ownSuffix] }).ok)
    return fail(`${shown}, which is not on a public host.`, HREF_CURE);
  if (!isUsualPort(url, domain))
    return fail(
      `${shown}, on port ${url.port}; Loopscout uses only ports 80, 443${portOf(domain) === 443 ? '' : ` and ${portOf(domain)}`}.`,
      HREF_CURE,
    );
  if (url.protocol === 'http:' && !isLocal(domain)) return warn(`${shown}, plain http.`, SCHEME_CURE);
  if (target.split('?', 1)[0]?.includes('//') === true) return info(`${shown}, with a double slash.`);
  return href.includes('#') ? info(`${shown}, with a fragment that is not sent.`) : pass(`${shown}.`);
}

function explainInvalid(href: string): string {
  if (href.trim() === '') return 'which is empty';
  // The limit of `parseHref`.
  if (href.length > 500) return 'which is over 500 characters long';
  if (/^https?:\/\/[^/?#]*@/i.test(href)) return 'which contains a user name';
  if (/^https?:\/\//i.test(href)) return 'which has invalid characters or no host';
  if (/^\/(?!\/)/.test(href)) return 'which has no host; it must be a full URL';
  return /^[a-z][a-z0-9+-]*:\/\//i.test(href)
    ? 'which is neither https nor http'
    : 'which does not start with https://';
}
