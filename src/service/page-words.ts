import type { Settings } from '../settings/schema.ts';
import { createBrand } from '../site/brand.ts';
import { templatesOf } from '../site/words/own-words.ts';

/** Every text of the pages in force, in the form of `site.words`, and the keys of those that the owner's file lacks. */
export function pageWords({ site }: Settings): { words: object; missing: readonly string[] } {
  // The text is a setting, and the words of the file stand in its place.
  const { words, missingWords } = createBrand({ ...site, text: null });
  return { words: templatesOf(words), missing: missingWords };
}
