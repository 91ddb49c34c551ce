import { asObject, property } from '../identify/json.ts';
import { documentOf } from './documents/document-of.ts';
import { nodeInfoOf } from './documents/nodeinfo-of.ts';
import type { Evidence } from './evidence.ts';

/**
 * Whether a server of the service says that it federates: its configuration does, or, where that says nothing of it, NodeInfo does. Of
 * other software nobody knows which actors it has.
 */
export function federates(evidence: Evidence): boolean {
  if (evidence.visit.verdict !== 'loops') return false;
  const config = documentOf(evidence.answers.config);
  const said = config.kind === 'object' ? property(config.document, 'federation') : undefined;
  if (typeof said === 'boolean') return said;
  const protocols = property(asObject(nodeInfoOf(evidence)), 'protocols');
  return Array.isArray(protocols) && protocols.includes('activitypub');
}
