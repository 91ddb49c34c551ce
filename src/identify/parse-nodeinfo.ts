import type { FieldNote } from '../record/instance.ts';
import { LENGTHS } from '../record/text-lengths.ts';
import { cleanIdentifier } from './clean-text.ts';
import { createFieldReader } from './field-reader.ts';
import { asObject, type JsonObject, property } from './json.ts';

/** The NodeInfo document (specification 2.7 and what real servers add), each field alone: null is unknown. */
export interface NodeInfo {
  /** `software.name` exactly as sent. */
  softwareId: string;
  /** The same, safe to show. */
  software: string;
  version: string | null;
  openRegistrations: boolean | null;
  name: string | null;
  description: string | null;
  users: number | null;
  activeMonth: number | null;
  activeHalfyear: number | null;
  posts: number | null;
  notes: readonly FieldNote[];
}

/** Reads a NodeInfo document; null when it names no software, so that it settles nothing. */
export function parseNodeInfo(document: JsonObject): NodeInfo | null {
  const softwareId = property(asObject(property(document, 'software')), 'name');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  return {
    softwareId,
    software: cleanIdentifier(softwareId, LENGTHS.software),
    version: fields.identifier('software.version', LENGTHS.version),
    openRegistrations: fields.boolean('openRegistrations'),
    name: fields.text('metadata.nodeName', LENGTHS.name),
    description: fields.text('metadata.nodeDescription', LENGTHS.description),
    users: fields.count('usage.users.total'),
    activeMonth: fields.count('usage.users.activeMonth'),
    activeHalfyear: fields.count('usage.users.activeHalfyear'),
    posts: fields.count('usage.localPosts'),
    notes: fields.notes,
  };
}
