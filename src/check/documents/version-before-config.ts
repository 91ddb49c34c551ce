import { asObject, property } from '../../identify/json.ts';
import { isOlder } from '../../record/version-order.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';
import { nodeInfoNameOf } from './nodeinfo-name-of.ts';
import { nodeInfoOf } from './nodeinfo-of.ts';

/** The first release of Loops that has the configuration endpoint. */
export const FIRST_WITH_CONFIG = '1.0.0-beta.6';

/** The version of a server that is too old to have a configuration endpoint, and has none; null of every other. */
export function versionBeforeConfig(evidence: Evidence): string | null {
  if (documentOf(evidence.answers.config).kind === 'object') return null;
  if (nodeInfoNameOf(evidence)?.isExact !== true) return null;
  const version = property(asObject(property(nodeInfoOf(evidence), 'software')), 'version');
  return typeof version === 'string' && isOlder(version, FIRST_WITH_CONFIG) === true ? version : null;
}
