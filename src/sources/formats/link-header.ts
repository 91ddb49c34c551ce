/** One link of a Link header with its parameters (RFC 8288 section 3). */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** The target of the first link with the relation `next`; null without one. A link with an anchor belongs to another document. */
export function nextInLinkHeader(header: string | string[] | undefined): string | null {
  for (const [, target = '', written = ''] of String(header ?? '').matchAll(LINK)) {
    const parameters = new Map<string, string>();
    for (const [, name = '', quoted, plain] of written.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // The first value counts (RFC 8288 section 3.3).
      if (!parameters.has(key)) parameters.set(key, quoted ?? plain ?? '');
    }
    const relations = parameters.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes('next') && !parameters.has('anchor')) return target.trim();
  }
  return null;
}
