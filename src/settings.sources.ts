import type * as z from 'zod';
import type { SourceSettings } from './sources/registry.ts';

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
  return 'url' in entry ? `${entry.type} ${URL.parse(entry.url)?.href ?? entry.url}` : entry.type;
}
