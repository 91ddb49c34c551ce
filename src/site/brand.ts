import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Settings } from '../settings/schema.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { accentStyle } from './accent-style.ts';
import { ASSETS, type Asset, type Assets, createAsset, styleSheet } from './assets.ts';
import { english } from './words/english.ts';
import { createFormat } from './words/format.ts';
import { readOwnWords, templatesOf } from './words/own-words.ts';
import type { Words } from './words/words.ts';

type SiteSettings = Settings['site'];

/** What makes the pages those of one directory. */
export interface Brand {
  readonly words: Words;
  readonly assets: Assets;
  /** The links at the end of every page. */
  readonly links: SiteSettings['links'];
  /** A running service for the forms of the static site, without a final slash; null when there is none. */
  readonly liveUrl: string | null;
  /** The texts that the owner's words do not replace, by their keys; empty when there are no own words. */
  readonly missingWords: readonly string[];
}

const NO_LINKS = { imprint: null, privacy: null, contact: null, source: null };

/** The brand of a directory that has no name of its own. */
export const OUR_BRAND: Brand = { words: english, assets: ASSETS, links: NO_LINKS, liveUrl: null, missingWords: [] };

/**
 * Reads the files that `site` names.
 *
 * @throws {SettingsError} naming every file that cannot be used, and every text in the words that is unknown or has the wrong form.
 */
export function createBrand(site: SiteSettings): Brand {
  const { name, text, accent, language, links, liveUrl } = site;
  const own = site.words === null ? { words: english, missing: [] } : readOwnWords(site.words, language);
  const { frame, directory } = own.words;
  const [logo, icon] = (['logo', 'icon'] as const).map((key) => {
    const file = site[key];
    return file === null ? null : readImage(key, file);
  });
  const style = ASSETS['site.css'];
  return {
    words: {
      ...own.words,
      frame: { ...frame, name, language },
      directory: text === null ? directory : { ...directory, lead: text, leadOrder: '', description: text },
      format: createFormat(language),
    },
    assets: {
      ...ASSETS,
      'site.css': accent === null ? style : styleSheet([style.bytes, Buffer.from(accentStyle(accent, style.bytes))]),
      icon: icon ?? logo ?? ASSETS.icon,
      logo: logo ?? icon ?? ASSETS.logo,
      picture: [logo, icon].find((image) => PICTURE_TYPES.includes(image?.type ?? '')) ?? ASSETS.picture,
    },
    links,
    liveUrl,
    missingWords: own.missing,
  };
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
};

/** Those that all sites with link previews show. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

const MAX_IMAGE_BYTES = 256 * 1024;

function readImage(key: 'logo' | 'icon', file: string): Asset {
  const refuse = (value: string) => new SettingsError([{ where: file, key: `site.${key}`, value, allowed: null }]);
  const extension = extname(file).toLowerCase();
  const type = IMAGE_TYPES[extension];
  if (type === undefined) throw refuse(`not an image; name one that ends in ${Object.keys(IMAGE_TYPES).join(', ')}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw refuse(`unreadable (${error instanceof Error && 'code' in error ? error.code : error})`);
  }
  if (bytes.length === 0 || bytes.length > MAX_IMAGE_BYTES)
    throw refuse(`a file of ${bytes.length} bytes; name one of 1 to ${MAX_IMAGE_BYTES} bytes`);
  return createAsset(key + extension, type, bytes);
}

/** Every text of the pages in force, in the form of `site.words`, and the keys of those that the owner's file lacks. */
export function pageWords({ site }: Settings): { words: object; missing: readonly string[] } {
  // The text is a setting, and the words of the file stand in its place.
  const { words, missingWords } = createBrand({ ...site, text: null });
  return { words: templatesOf(words), missing: missingWords };
}
