import { asObject, type JsonObject, property } from '../../identify/json.ts';

const MOST_LOOKED_AT = 20;

/** The member that a document is wrapped in, as `data` in `{"data":{"app":…}}`; null when it has an `app` itself, or nowhere near. */
export function findWrapped(document: JsonObject): string | null {
  if (property(document, 'app') !== undefined) return null;
  const members = Object.entries(document).slice(0, MOST_LOOKED_AT);
  const [key] = members.find(([, value]) => asObject(property(asObject(value), 'app')) !== null) ?? [];
  return key ?? null;
}
