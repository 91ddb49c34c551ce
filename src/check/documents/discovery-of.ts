import type { JsonObject } from '../../identify/json.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';

/** The NodeInfo discovery document; null where none could be read, for a reason that a rule of its own names. */
export function discoveryOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.discovery);
  return reading.kind === 'object' ? reading.document : null;
}
