import { discoveryOf } from '../../documents/discovery-of.ts';
import { linkOf20, linksOf } from '../../documents/links-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showValue } from '../../documents/show-value.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/';

const cureFor = (
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
  cure: cureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null || !hasLinks(document)) return null;
    const cure = cureFor(evidence.domain);
    const rels = linksOf(document).map(({ rel }) => rel);
    const link = linkOf20(document);
    if (link === null) return fail(tellNone(rels), cure);
    if (link.rel !== `${SCHEMA}2.0`) return warn(`The rel of the 2.0 entry is ${showValue(link.rel)}.`, cure);
    const others = versionsIn(rels).filter((version) => version !== '2.0');
    return pass(others.length === 0 ? 'It has.' : `It has, and beside it ${nameAll(others)}, which is fine.`);
  },
};

/** Without any, another rule says what is in their place. */
function hasLinks(document: Parameters<typeof linksOf>[0]): boolean {
  const { links } = document;
  return Array.isArray(links) ? links.length > 0 : typeof links === 'object' && links !== null;
}

function tellNone(rels: readonly unknown[]): string {
  const versions = versionsIn(rels);
  if (versions.length > 0) return `Discovery offers NodeInfo ${nameAll(versions)}, and not 2.0.`;
  if (rels.every((rel) => rel === undefined)) return 'No entry has a rel; names in JSON are told apart by capitals.';
  return `No rel ends with /schema/2.0: ${nameAll(rels.map(showValue))}.`;
}

function versionsIn(rels: readonly unknown[]): string[] {
  return rels.flatMap((rel) => {
    const version = typeof rel === 'string' ? /\/schema\/(\d\.\d)$/.exec(rel)?.[1] : undefined;
    return version === undefined ? [] : [version];
  });
}
