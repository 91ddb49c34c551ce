import { parseHref } from '../../identify/documents.ts';
import { hidingKeysIn } from '../../identify/noindex.ts';
import { hostOf } from '../../model/domain/domain.ts';
import { contentTypeOf } from '../answers.ts';
import { HOST_CURE } from '../cures.ts';
import { discoveryOf, documentOf, nodeInfo20Link, nodeInfo20Links, nodeInfoOf } from '../documents/document.ts';
import { info, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import {
  nodeInfoDiscovery,
  nodeInfoDiscoveryJson,
  nodeInfoFederation,
  nodeInfoHref,
  nodeInfoLinks,
  nodeInfoRel,
} from './nodeinfo-discovery.ts';
import {
  nodeInfoCounts,
  nodeInfoDocument,
  nodeInfoFieldsMissing,
  nodeInfoFieldTypes,
  nodeInfoJson,
  nodeInfoProtocols,
  nodeInfoSchema,
  nodeInfoSoftware,
  nodeInfoUsage,
} from './nodeinfo-document.ts';

const nodeInfoHost: Rule = {
  id: 'nodeinfo-host',
  worst: 'info',
  title: 'NodeInfo is on the host itself',
  checks:
    'Whether the `href` of the 2.0 entry leads to the checked host. Another host is allowed, and may be intended.',
  why: 'A document on another host also describes that host. Loopscout follows and flags it; if both hosts are Loops servers, it may list only one of them. Some clients reject it.',
  sources: ['Interface specification 4.4'],
  cure: `If it is not intended, use the host itself. ${HOST_CURE}`,
  judge(evidence) {
    const document = discoveryOf(evidence);
    const href = document === null ? null : nodeInfo20Link(document)?.href;
    const parsed = typeof href === 'string' ? parseHref(href) : null;
    if (parsed === null) return null;
    const { hostname } = parsed.url;
    if (hostname === hostOf(evidence.domain)) return pass('NodeInfo is on the host itself.');
    // `nodeinfo-document` or `nodeinfo-json` reports that there is no document.
    if (nodeInfoOf(evidence) === null) return null;
    return info(`NodeInfo is on ${hostname}, and answers there. If that is intended, nothing needs to be done.`);
  },
};

const nodeInfoLinksOnce: Rule = {
  id: 'nodeinfo-links-once',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Discovery has one entry for NodeInfo 2.0',
  checks:
    'The number of entries with a `rel` that ends with `/schema/2.0`. Loopscout follows the first one that has an `href`.',
  why: 'With several entries, some clients take the first and others the last, so they may reach different servers.',
  sources: ['Interface specification 4.4'],
  cure: 'Keep one entry for each version. A second one comes from a file or a plug-in that answers in addition to Loops: `grep -rn nodeinfo public/ /etc/nginx/` finds it.',
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null) return null;
    const links = nodeInfo20Links(document);
    if (links.length === 0) return null;
    if (links.length === 1) return pass('It has one entry.');
    return warn(`It has ${links.length} entries: ${listItems(links.map(({ href }) => showValue(href)))}.`);
  },
};

const nodeInfoDiscoveryType: Rule = {
  id: 'nodeinfo-discovery-type',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The discovery document is sent as JSON',
  checks:
    'The `Content-Type` of `/.well-known/nodeinfo`: `application/json`, `application/jrd+json` or another type that ends in `+json`.',
  why: 'A file without an extension is sent as `application/octet-stream`, and libraries that check the type do not parse it.',
  sources: ['NodeInfo protocol 2.0', 'RFC 7033 section 10.2'],
  cure: `Loops sends the right type; look for a static file that replaces it, or a proxy setting that changes the type:

    ls -l public/.well-known/
    grep -rnE 'default_type|Content-Type' /etc/nginx/`,
  judge({ answers: { discovery } }) {
    if (discovery === null || documentOf(discovery).kind !== 'object') return null;
    const type = contentTypeOf(discovery);
    if (type === 'application/json' || type?.endsWith('+json') === true)
      return pass(`It is sent as ${showText(type)}.`);
    return warn(type === null ? 'It is sent without a type.' : `It is sent as ${showText(type)}.`);
  },
};

const PROFILE = 'http://nodeinfo.diaspora.software/ns/schema/2.0#';

const nodeInfoContentType: Rule = {
  id: 'nodeinfo-content-type',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The NodeInfo document is sent as application/json',
  checks: `The \`Content-Type\` of the document is \`application/json\` or ends in \`+json\`. The parameter \`profile="${PROFILE}"\` may be missing; a profile of another version is reported as info.`,
  why: 'Libraries that check the type parse nothing else. The profile identifies the version, but almost no client needs it, and Loops does not send it.',
  sources: ['NodeInfo protocol 2.0'],
  cure: `Loops sends JSON; look for a static file that replaces it, or a proxy setting that changes the type:

    ls -lR public/nodeinfo/
    grep -rnE 'default_type|Content-Type' /etc/nginx/`,
  judge({ answers: { nodeinfo } }) {
    if (nodeinfo === null || documentOf(nodeinfo).kind !== 'object') return null;
    const type = contentTypeOf(nodeinfo);
    if (type === null) return warn('It is sent without a type.');
    if (type !== 'application/json' && !type.endsWith('+json')) return warn(`It is sent as ${showText(type)}.`);
    const profile = /profile\s*=\s*"?([^";,\s]+)/i.exec(nodeinfo.headers['content-type'] ?? '')?.[1];
    if (profile === undefined) return pass('The type is right; the profile is missing, but almost no client needs it.');
    // The final `#` may be missing.
    if (profile.replace(/#$/, '') === PROFILE.replace(/#$/, ''))
      return pass('The type is right, with the profile of 2.0.');
    return info(`Its profile is ${showText(profile)} instead of that of 2.0.`);
  },
};

const nodeInfoEncoding: Rule = {
  id: 'nodeinfo-encoding',
  worst: 'warn',
  title: 'Both NodeInfo documents are clean JSON',
  checks:
    'Looks for a byte order mark, bytes that are not UTF-8, and duplicate names in an object, in the discovery document and in the NodeInfo document.',
  why: 'Loopscout ignores them; stricter parsers reject the document, or read the wrong value.',
  sources: ['RFC 8259 sections 4 and 8.1'],
  cure: `Save files that were edited by hand as UTF-8 without a byte order mark, in the settings of Loops retype texts that are not UTF-8, and look for a plug-in or a proxy that adds members to the answer:

    grep -rlI $'^\\xEF\\xBB\\xBF' app bootstrap config public routes .env`,
  judge({ answers }) {
    const problems = (['discovery', 'nodeinfo'] as const).flatMap((name) => {
      const reading = documentOf(answers[name]);
      if (reading.kind !== 'object') return [];
      const { hasByteOrderMark, isUtf8, duplicates } = reading;
      const what = name === 'discovery' ? 'the discovery document' : 'the NodeInfo document';
      return [
        ...(hasByteOrderMark ? [`${what} begins with a byte order mark`] : []),
        ...(isUtf8 ? [] : [`${what} has bytes that are not UTF-8`]),
        ...(duplicates.length > 0 ? [`${what} has duplicate names: ${listItems(duplicates.map(showText))}`] : []),
      ];
    });
    if (problems.length > 0) return warn(`${problems.join('; ')}.`.replace(/^t/, 'T'));
    if (documentOf(answers.discovery).kind !== 'object') return null;
    return pass(
      documentOf(answers.nodeinfo).kind === 'object' ? 'Both are clean.' : 'The discovery document is clean.',
    );
  },
};

const nodeInfoListing: Rule = {
  id: 'nodeinfo-listing',
  worst: 'warn',
  title: 'NodeInfo does not ask to leave the server out of lists',
  checks: 'Whether `metadata.private` or `metadata.hide_in_statistics` of the NodeInfo document is true.',
  why: 'Loopscout and some other directories do not list a server that says so. On purpose this is right; by mistake, the server is missing everywhere.',
  sources: ['NodeInfo 2.0 schema (metadata)'],
  cure: `If the server is meant to be listed, remove these members from the metadata of NodeInfo. Loops does not send them, so look for a changed file, or a proxy that changes the answer:

    git -C /var/www/loops status
    grep -rnE 'hide_in_statistics|sub_filter' /var/www/loops/app /etc/nginx/`,
  judge({ answers: { nodeinfo } }) {
    if (nodeinfo === null || documentOf(nodeinfo).kind !== 'object') return null;
    const keys = hidingKeysIn(nodeinfo.body);
    return keys.length === 0
      ? pass('It does not ask for that.')
      : warn(`\`metadata\` says ${keys.join(' and ')}, so directories leave this server out.`);
  },
};

export const nodeinfoRules: readonly Rule[] = [
  nodeInfoFederation,
  nodeInfoDiscovery,
  nodeInfoDiscoveryJson,
  nodeInfoLinks,
  nodeInfoRel,
  nodeInfoHref,
  nodeInfoDocument,
  nodeInfoJson,
  nodeInfoSoftware,
  nodeInfoFieldsMissing,
  nodeInfoFieldTypes,
  nodeInfoSchema,
  nodeInfoProtocols,
  nodeInfoCounts,
  nodeInfoUsage,
  nodeInfoHost,
  nodeInfoLinksOnce,
  nodeInfoDiscoveryType,
  nodeInfoContentType,
  nodeInfoEncoding,
  nodeInfoListing,
];
