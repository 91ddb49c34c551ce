import type { EpochMs } from '../model/time.ts';
import { type Brand, OUR_BRAND } from './brand.ts';
import type { Links } from './links.ts';
import { createAbsoluteLinks, createLiveLinks, createStaticLinks } from './links.ts';
import type { Words } from './words/words.ts';

export type { Words } from './words/words.ts';

/** The context of one page: its words, its links and the time of its data. */
export interface Site {
  readonly brand: Brand;
  readonly words: Words;
  readonly links: Links;
  /** `static` pages are files: no server computes other pages or processes forms. */
  readonly mode: 'live' | 'static';
  /** The path of the page: `/`, `/instances/loops.example`, `/version/1.2.0/`. */
  readonly path: string;
  /** Start of the last visit, the time of the newest data; null while there is none, and on pages without data. */
  readonly at: EpochMs | null;
  /** The origin and folder at which the site is published, without a final slash, for links that must be absolute; null when unknown. */
  readonly base: string | null;
}

interface SiteOptions {
  path: string;
  at: EpochMs | null;
  base?: string | null;
  /** Default: that of a directory without a name of its own. */
  brand?: Brand | undefined;
}

export function liveSite({ base = null, brand = OUR_BRAND, ...place }: SiteOptions): Site {
  return { brand, words: brand.words, links: createLiveLinks(brand.assets), mode: 'live', base, ...place };
}

export function staticSite({ base = null, brand = OUR_BRAND, ...place }: SiteOptions): Site {
  const links = createStaticLinks(place.path, brand.assets, brand.liveUrl);
  return { brand, words: brand.words, links, mode: 'static', base, ...place };
}

/** A page of a static site that may be shown at any path, so that its links must be absolute. */
export function publishedSite({ base, brand = OUR_BRAND, ...place }: SiteOptions & { base: string }): Site {
  const links = createAbsoluteLinks(base, brand.assets, brand.liveUrl);
  return { brand, words: brand.words, links, mode: 'static', base, ...place };
}
