import type { JsonObject } from '../../identify/json.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';

/** The NodeInfo 2.0 document, be it whose it may; null where none could be read, for a reason that a rule of its own names. */
export function nodeInfoOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.nodeinfo);
  return reading.kind === 'object' ? reading.document : null;
}
