import { type Answer, json } from './answer.ts';
import { discoveryPath, type HostContext, type Site } from './kind.ts';

export const schema = 'http://nodeinfo.diaspora.software/ns/schema';
/** A discovery document whose links are given as [schema version, href]. */
export function discovery(...links: [version: string, href: string][]): Answer {
  return json({ links: links.map(([version, href]) => ({ rel: `${schema}/${version}`, href })) });
}

/** A complete NodeInfo document with `changes` to its top-level keys. */
export function nodeInfo(software: unknown, version: unknown, changes: Record<string, unknown> = {}): unknown {
  return {
    version: '2.0',
    software: { name: software, version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: true,
    usage: { users: { total: 321, activeMonth: 45, activeHalfyear: 120 }, localPosts: 6789 },
    metadata: {},
    ...changes,
  };
}

/** Pages of a server that is found by NodeInfo: the discovery document, and at `path` the document it names. */
export function nodeInfoPages(host: HostContext, document: unknown, path = '/nodeinfo/2.0'): Record<string, Answer> {
  return { [discoveryPath]: discovery(['2.0', host.url + path]), [path]: json(document) };
}

/** A server of another software that names itself by NodeInfo and has no config endpoint. */
export function otherSite(host: HostContext, software: string, version: string, path?: string): Site {
  return { pages: nodeInfoPages(host, nodeInfo(software, version), path) };
}
