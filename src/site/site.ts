import type { EpochMs } from '../model/time.ts';
import type { Links } from './links.ts';
import { createAbsoluteLinks, createLiveLinks, createStaticLinks } from './links.ts';
import { english } from './words/english.ts';

/** The words of all pages in one language. */
export type Words = typeof english;

/** The context of one page: its words, its links and the time of its data. */
export interface Site {
  readonly words: Words;
  readonly links: Links;
  /** `static` pages are files: no server computes other pages or processes forms. */
  readonly mode: 'live' | 'static';
  /** The path of the page: `/`, `/instances/loops.example`, `/version/1.2.0/`. */
  readonly path: string;
  /** When the data of the page was read. */
  readonly at: EpochMs;
  /** The origin and folder at which the site is published, without a final slash, for links that must be absolute; null when unknown. */
  readonly base: string | null;
}

type SiteOptions = Pick<Site, 'path' | 'at'> & Partial<Pick<Site, 'base'>>;

export function liveSite({ path, at, base = null }: SiteOptions): Site {
  return { words: english, links: createLiveLinks(), mode: 'live', path, at, base };
}

export function staticSite({ path, at, base = null }: SiteOptions): Site {
  return { words: english, links: createStaticLinks(path), mode: 'static', path, at, base };
}

/** A page of a static site that may be shown at any path, so that its links must be absolute. */
export function publishedSite({ path, at, base }: SiteOptions & { base: string }): Site {
  return { words: english, links: createAbsoluteLinks(base), mode: 'static', path, at, base };
}
