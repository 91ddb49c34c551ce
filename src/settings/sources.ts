import type * as z from 'zod';
import type { SourceSettings } from '../sources/kinds/registry.ts';

/** Of two entries that are the same source, the history would be one, and the second would never be read. */
export function refuseTwins(sources: readonly SourceSettings[], context: z.core.$RefinementCtx): void {
  const seen = new Map<string, number>();
  for (const [index, entry] of sources.entries()) {
    const name = nameOf(entry);
    const twin = seen.get(name);
    if (twin === undefined) seen.set(name, index);
    else
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `a source of its own; it is the same as sources.${twin} ("${name}"): leave one out, or give it another "id"`,
      });
  }
}

function nameOf(entry: SourceSettings): string {
  if (entry.id !== undefined) return entry.id;
  if ('path' in entry) return `${entry.type} ${entry.path}`;
  return 'url' in entry ? `${entry.type} ${oneSpellingOf(entry.url)}` : entry.type;
}

/** A URL in one of its spellings: host, port and scheme as URLs are written, no root label, nothing encoded that need not be (RFC 3986 section 6.2.2). */
function oneSpellingOf(written: string): string {
  const url = URL.parse(written);
  if (url === null) return written;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/\?$/, '').replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
  });
}
