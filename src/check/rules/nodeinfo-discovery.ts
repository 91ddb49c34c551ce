import { isHostWide } from '../../http/failure.ts';
import { isUsualPort, parseHref } from '../../identify/documents.ts';
import { asObject, property } from '../../identify/field-reader.ts';
import { hostOf, portOf } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { REASONS } from '../../model/reason.ts';
import { redirectLoopWords } from '../answers.ts';
import { answerCure, LOOP_CURE, RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import { discoveryOf, documentOf, linkOf20, linksOf, namesAppUrl } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import { fail, info, nameAll, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { isNodeInfoHidden, mayBeService, shouldJudgeNodeInfo } from '../server-state.ts';

export const nodeInfoFederation: Rule = {
  id: 'nodeinfo-federation',
  area: 'nodeinfo',
  worst: 'info',
  title: 'Federation is on, and NodeInfo with it',
  checks:
    'Whether federation is off in config and NodeInfo therefore answers 404, the default of Loops. The other NodeInfo rules are then silent.',
  why: 'With federation off a server has no NodeInfo: directories that read only NodeInfo do not find it, and others lack its user and post counts. Loopscout lists it by its configuration.',
  sources: ['Interface specification 2.5 (federation)'],
  cure: 'Nothing is wrong. To be seen by the whole fediverse, and to be counted, switch federation on in the admin settings.',
  judge(evidence) {
    const config = documentOf(evidence.answers.config);
    if (config.kind !== 'object') return null;
    const federation = property(config.document, 'federation');
    if (isNodeInfoHidden(evidence))
      return info(
        'Federation is off, and Loops hides NodeInfo while it is. Users and posts stay unknown, and so does the server to directories that read NodeInfo alone.',
      );
    if (federation === true) return pass('It is.');
    return federation === false ? pass('Federation is off, and NodeInfo answers all the same.') : null;
  },
};

const PATH = '/.well-known/nodeinfo';

const redirectCure = `Answer it where it is asked for: take /.well-known/ out of the redirects of the site. This finds them in nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/

In the server block, a place of its own comes before them:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }`;

export const nodeInfoDiscovery: Rule = {
  id: 'nodeinfo-discovery',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo discovery answers',
  checks:
    '`GET /.well-known/nodeinfo` answers 200 on the host itself. 404 is no fault while federation is off. A redirect within the host is worth knowing; one that never ends fails.',
  why: 'Directories and servers of the fediverse start here to identify the software of a server. Most know no other way.',
  sources: ['Interface specification 2.6 and 4.4', 'NodeInfo protocol 2.0'],
  cure: `Let the address through to Loops. A rule of nginx against files that begin with a dot, or one for certificates, often takes it first. In the server block of nginx, above such rules:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }`,
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
          answerCure(reading, evidence.domain, PATH) ?? nodeInfoDiscovery.cure,
        );
      case 'redirect': {
        const circle = redirectLoopWords(evidence.answers.discovery);
        if (circle !== null) return fail(`${PATH} ${circle}.`, LOOP_CURE);
        if (reading.to?.host === evidence.domain && reading.to.protocol === 'https:')
          return info(`${PATH} redirects to ${showText(reading.to.pathname)}; most clients follow.`);
        return fail(`${PATH} redirects to ${showText(reading.to?.href ?? reading.location)}.`, redirectCure);
      }
      case 'status': {
        const config = documentOf(evidence.answers.config);
        const isUnsaid = config.kind !== 'object' || property(config.document, 'federation') !== true;
        const hint =
          reading.status === 404 && isUnsaid && mayBeService(evidence)
            ? ' Loops also answers so while federation is off.'
            : '';
        if (reading.status === 429)
          return fail(
            `${PATH} answers 429 Too Many Requests. ${rateLimitWords(evidence.answers.discovery, evidence)}`,
            RATE_LIMIT_CURE,
          );
        return fail(
          `${PATH} answers ${reading.status}.${hint}`,
          answerCure(reading, evidence.domain, PATH) ?? nodeInfoDiscovery.cure,
        );
      }
      default: {
        const { discovery } = evidence.answers;
        if (discovery === null || discovery.followed.length === 0) return pass('It does.');
        return info(`${PATH} redirects to ${showText(new URL(discovery.url).pathname)}; most clients follow.`);
      }
    }
  },
};

export const nodeInfoDiscoveryJson: Rule = {
  id: 'nodeinfo-discovery-json',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The discovery document is a JSON object',
  checks: 'The body of `/.well-known/nodeinfo` is one JSON object and nothing more.',
  why: 'With a page or a broken document there, every client assumes that the server has no NodeInfo.',
  sources: ['Interface specification 2.6', 'RFC 8259'],
  cure: `See that the address reaches Loops and not the page of the web app, and that nothing is written before or after the JSON. In the server block of nginx:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`,
  judge(evidence) {
    if (!shouldJudgeNodeInfo(evidence)) return null;
    const reading = documentOf(evidence.answers.discovery);
    if (reading.kind === 'object') return pass('It is.');
    if (reading.kind !== 'not-json') return null;
    return fail(`The body of /.well-known/nodeinfo ${reading.problem.text}.`, nodeInfoDiscoveryJson.cure);
  },
};

const linksCureFor = (domain: string) => `Serve a list of links, and the document at the address that it names:

    {"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://${domain}/nodeinfo/2.0"}]}

Loops does so by itself: look for a file in \`public/.well-known/\` or a line of the proxy that answers in its place.`;

export const nodeInfoLinks: Rule = {
  id: 'nodeinfo-links',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The discovery document lists links',
  checks:
    '`links` is a list with at least one entry. A single link or an object of links, as some software serves, is read by Loopscout and by few others; the NodeInfo document itself at the well-known path is read by none that keeps to the standard.',
  why: 'Strict clients treat anything but a list as missing NodeInfo.',
  sources: ['Interface specification 2.6', 'RFC 7033 section 4.4.4'],
  cure: linksCureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null) return null;
    const cure = linksCureFor(evidence.domain);
    const links = property(document, 'links');
    if (Array.isArray(links))
      return links.length > 0 ? pass(`It lists ${links.length}.`) : fail('links is an empty list.', cure);
    if (links !== undefined)
      return fail(`links is ${asObject(links) === null ? showValue(links) : 'an object'}, not a list.`, cure);
    if (asObject(property(document, 'software')) !== null)
      return fail('The NodeInfo document itself is served at the well-known path, where its address belongs.', cure);
    const names = Object.keys(document).map(showText);
    return fail(
      names.length === 0 ? 'The document is empty.' : `There is no links; the document has ${nameAll(names)}.`,
      cure,
    );
  },
};

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/';

const relCureFor = (
  domain: string,
) => `Add an entry for version 2.0 with this \`rel\` to the letter, http and without a slash at its end; it is a name and not an address to be opened. Entries for 2.1 may stay beside it:

    {"rel":"${SCHEMA}2.0","href":"https://${domain}/nodeinfo/2.0"}`;

export const nodeInfoRel: Rule = {
  id: 'nodeinfo-rel',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'Discovery has an entry for NodeInfo 2.0',
  checks: `The \`rel\` of the entry that is followed is \`${SCHEMA}2.0\` exactly. One that only ends with \`/schema/2.0\` warns, none fails. An entry for 2.1 beside it is fine.`,
  why: 'Clients choose an entry by its `rel`. Loops and Loopscout read version 2.0 and no other: without that entry a server is not identified.',
  sources: ['Interface specification 2.6 and 4.4', 'NodeInfo protocol 2.0'],
  cure: relCureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null || !hasLinks(document)) return null;
    const cure = relCureFor(evidence.domain);
    const rels = linksOf(document).map(({ rel }) => rel);
    const link = linkOf20(document);
    if (link === null) return fail(describeMissingRel(rels), cure);
    if (link.rel !== `${SCHEMA}2.0`) return warn(`The rel of the 2.0 entry is ${showValue(link.rel)}.`, cure);
    const others = versionsIn(rels).filter((version) => version !== '2.0');
    return pass(others.length === 0 ? 'It has.' : `It has, and beside it ${nameAll(others)}, which is fine.`);
  },
};

/** Another rule reports a document without links. */
function hasLinks(document: Parameters<typeof linksOf>[0]): boolean {
  const { links } = document;
  return Array.isArray(links) ? links.length > 0 : typeof links === 'object' && links !== null;
}

function describeMissingRel(rels: readonly unknown[]): string {
  const versions = versionsIn(rels);
  if (versions.length > 0) return `Discovery offers NodeInfo ${nameAll(versions)}, and not 2.0.`;
  if (rels.every((rel) => rel === undefined)) return 'No entry has a rel; names in JSON are case-sensitive.';
  return `No rel ends with /schema/2.0: ${nameAll(rels.map(showValue))}.`;
}

function versionsIn(rels: readonly unknown[]): string[] {
  return rels.flatMap((rel) => {
    const version = typeof rel === 'string' ? /\/schema\/(\d\.\d)$/.exec(rel)?.[1] : undefined;
    return version === undefined ? [] : [version];
  });
}

const hrefCureFor = (domain: string) => `Name the whole address, with https, this host and no port:

    https://${domain}/nodeinfo/2.0

Loops builds it from its own address, so this usually cures it, in \`.env\`:

    APP_URL=https://${domain}

Then make Loops reload it:

    php artisan config:cache`;

export const nodeInfoHref: Rule = {
  id: 'nodeinfo-href',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The address of NodeInfo is a whole https address',
  checks:
    'The `href` of the 2.0 entry: absolute, on a public host, without user name, on port 80, 443 or that of the server. Plain http warns; a doubled slash or a fragment is worth knowing.',
  why: 'Clients follow the address exactly as it is given. Loopscout does not complete an address, and uses only web ports; it does not read a document that it cannot reach.',
  sources: ['Interface specification 4.4', 'RFC 3986 section 4.3'],
  cure: hrefCureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    const link = document === null ? null : linkOf20(document);
    return link === null ? null : judgeHref(link.href, evidence);
  },
};

function judgeHref(href: unknown, evidence: Evidence) {
  const { domain } = evidence;
  const cure = hrefCureFor(domain);
  if (href === undefined || href === null) return fail('The entry has no href.', cure);
  if (typeof href !== 'string') return fail(`href is ${showValue(href)}, not a string.`, cure);
  const shown = `href is ${showValue(href)}`;
  const parsed = parseHref(href);
  if (parsed === null) return fail(`${shown}, ${whyNone(href)}.`, cure);
  const { url, target } = parsed;
  if (namesAppUrl(url, evidence)) return null;
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  if (!parseDomain(url.host, { allowSuffixes: [ownSuffix] }).ok)
    return fail(`${shown}, which is on no public host.`, cure);
  if (!isUsualPort(url, domain))
    return fail(
      `${shown}, on port ${url.port}; Loopscout goes to 80, 443${portOf(domain) === 443 ? '' : ` and ${portOf(domain)}`} alone.`,
      cure,
    );
  if (url.protocol === 'http:') return warn(`${shown}, plain http.`, cure);
  if (target.split('?', 1)[0]?.includes('//') === true) return info(`${shown}, with a doubled slash.`);
  return href.includes('#') ? info(`${shown}, with a fragment that is not sent.`) : pass(`${shown}.`);
}

function whyNone(href: string): string {
  if (href.trim() === '') return 'which is empty';
  if (href.length > 500) return 'which is over 500 characters long';
  if (/^https?:\/\/[^/?#]*@/i.test(href)) return 'which holds a user name';
  if (/^https?:\/\//i.test(href)) return 'which has characters that no address has, or no host';
  if (href.startsWith('/')) return 'which has no host: it must be a whole address';
  return /^[a-z][a-z0-9+-]*:\/\//i.test(href) ? 'which is neither https nor http' : 'which has no https:// before it';
}
