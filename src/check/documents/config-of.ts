import type { JsonObject } from '../../identify/json.ts';
import { parseConfig, type ServerConfig } from '../../identify/parse-config.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';
import { isNearMiss } from './is-near-miss.ts';

export interface ConfigRead {
  document: JsonObject;
  config: ServerConfig;
}

/**
 * The configuration of a server that is, or would be but for the spelling, one of the service (specification 2.5). Null where there is
 * none, or where it names no software or another: what is wrong then is named by the rules of the answer and of `app.software`.
 */
export function configOf({ answers, softwareId }: Evidence): ConfigRead | null {
  const reading = documentOf(answers.config);
  if (reading.kind !== 'object') return null;
  const config = parseConfig(reading.document);
  if (config === null) return null;
  const isOurs = config.softwareId === softwareId || isNearMiss(config.softwareId, softwareId);
  return isOurs ? { document: reading.document, config } : null;
}
