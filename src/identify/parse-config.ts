import type { ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FieldNote } from '../model/facts/instance-facts.ts';
import { LENGTHS } from '../model/text/text-lengths.ts';
import { createFieldReader, readFacts } from './field-reader.ts';
import { asObject, type JsonObject, property } from './json.ts';

/** The server configuration resource (specification 2.5), each field alone: null is unknown. */
export interface ServerConfig extends ReportedFacts {
  /** `app.software` exactly as sent; the one string that identity needs. */
  softwareId: string;
  /** `app.url` as sent. */
  appUrl: string | null;
  notes: readonly FieldNote[];
}

/** Reads a configuration document; null when it names no software, so that it settles nothing. */
export function parseConfig(document: JsonObject): ServerConfig | null {
  const softwareId = property(asObject(property(document, 'app')), 'software');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  const appUrl = fields.read(['app', 'url'], 'identifier', LENGTHS.url) as string | null;
  return { softwareId, appUrl, ...readFacts(fields, 'config'), notes: fields.notes };
}
