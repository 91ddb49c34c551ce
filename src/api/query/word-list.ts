import { z } from 'zod';

/** Some of a set of words in a query, with commas between them: `fields=domain,name`. */
export function wordList<const Word extends string>(words: readonly Word[]) {
  const known = new Set<string>(words);
  return z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(
      z.array(
        z.custom<Word>((word) => typeof word === 'string' && known.has(word), {
          error: `of these, with commas between them: ${words.join(', ')}`,
        }),
      ),
    )
    .meta({
      override: { type: 'array', items: { type: 'string', enum: [...words] }, minItems: 1 },
      param: { style: 'form', explode: false },
    });
}
