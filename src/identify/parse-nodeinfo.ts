import type { ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FieldNote } from '../model/facts/instance-facts.ts';
import { createFieldReader, readFacts } from './field-reader.ts';
import { asObject, type JsonObject, property } from './json.ts';

/** The NodeInfo document (specification 2.7 and what real servers add), each field alone: null is unknown. */
export interface NodeInfo extends ReportedFacts {
  /** `software.name` exactly as sent. */
  softwareId: string;
  notes: readonly FieldNote[];
}

/** Reads a NodeInfo document; null when it names no software, so that it settles nothing. */
export function parseNodeInfo(document: JsonObject): NodeInfo | null {
  const softwareId = property(asObject(property(document, 'software')), 'name');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  return { softwareId, ...readFacts(fields, 'nodeinfo'), notes: fields.notes };
}
