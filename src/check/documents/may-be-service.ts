import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';
import { isNearMiss } from './is-near-miss.ts';
import { standInOf } from './stand-in-of.ts';
import { valueAt } from './value-at.ts';

/** Whether the server may be one of the service: unless config says so or names another itself, NodeInfo, 2.0 first, names no other, and no page stands in for it. */
export function mayBeService(evidence: Evidence): boolean {
  const { visit, softwareId, answers } = evidence;
  if (standInOf(evidence) !== null) return false;
  if (visit.verdict === 'loops' || visit.via === 'config') return true;
  const [name] = [answers.nodeinfo, answers['nodeinfo-latest']].flatMap((exchange) => {
    const reading = documentOf(exchange);
    const given = reading.kind === 'object' ? valueAt(reading.document, 'software.name') : undefined;
    return typeof given === 'string' ? [given] : [];
  });
  return name === undefined || name === softwareId || isNearMiss(name, softwareId);
}
