import { createHash } from 'node:crypto';
import type { Settings } from './settings.schema.ts';
import type { SourceEnd } from './sources/source.ts';

type Conditions = Pick<SourceEnd, 'etag' | 'lastModified'>;

const MARK_LENGTH = 12;

/**
 * What a reading went by, as a short mark: with other suffixes allowed, other limits, or another place to look in the answer, a list
 * that has not changed gives other domains, and is to be read again.
 */
export function readingMark(entry: Settings['sources'][number], domains: Settings['domains']): string {
  const { id: _id, note: _note, enabled: _enabled, everyHours: _everyHours, ...readBy } = entry;
  return createHash('sha256')
    .update(JSON.stringify([readBy, domains]))
    .digest('base64url')
    .slice(0, MARK_LENGTH);
}

/** The conditions of the next reading as they are kept, with the mark before the tag. */
export function withMark(mark: string, { etag, lastModified }: Conditions): Conditions {
  return { etag: etag === null && lastModified === null ? null : `${mark} ${etag ?? ''}`, lastModified };
}

/** The conditions as the source told them; null when there are none, or the list was read in another way. */
export function withoutMark(mark: string, { etag, lastModified }: Conditions): Conditions | null {
  if (etag === null || !etag.startsWith(`${mark} `)) return null;
  const told = etag.slice(mark.length + 1);
  return { etag: told === '' ? null : told, lastModified };
}
