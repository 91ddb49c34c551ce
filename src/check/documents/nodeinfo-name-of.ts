import { asObject, property } from '../../identify/json.ts';
import type { Evidence } from '../evidence.ts';
import { isNearMiss } from './is-near-miss.ts';
import { nodeInfoOf } from './nodeinfo-of.ts';

/** `software.name` of the NodeInfo document; null when it names none. */
export function nodeInfoNameOf(evidence: Evidence): { name: string; isExact: boolean; isNearMiss: boolean } | null {
  const name = property(asObject(property(nodeInfoOf(evidence), 'software')), 'name');
  if (typeof name !== 'string') return null;
  const { softwareId } = evidence;
  return { name, isExact: name === softwareId, isNearMiss: isNearMiss(name, softwareId) };
}
