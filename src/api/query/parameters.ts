import { z } from 'zod';
import { cleanIdentifier } from '../../model/text/clean-text.ts';
import { distinctName } from '../../model/text/quoted-name.ts';

/** A whole number in a query, in decimal digits without a leading zero: neither `042` nor `1e3`. */
export function wholeNumber(min: number, max: number) {
  return wholeNumberSchema(min, max, {});
}

/** {@link wholeNumber} with a default. */
export function wholeNumberOr(fallback: number, min: number, max: number) {
  return wholeNumberSchema(min, max, { default: fallback }).default(fallback);
}

function wholeNumberSchema(min: number, max: number, more: { default?: number }) {
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,15})$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `at least ${min}`).max(max, `at most ${max}`))
    .meta({
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max, ...more });
      },
    });
}

/** Longer words of a client are cut in messages. */
const MAX_WORD_LENGTH = 50;

/** A comma-separated list of words in a query: `fields=domain,name`. */
export function wordList<const Word extends string>(words: readonly Word[]) {
  const known = new Set<string>(words);
  return z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(
      z.array(
        z.custom<Word>((word) => typeof word === 'string' && known.has(word), {
          error: ({ input }) =>
            `one or more of these, separated by commas: ${words.join(', ')}; ${distinctName(cleanIdentifier(String(input), MAX_WORD_LENGTH))} is none of them`,
        }),
      ),
    )
    .meta({
      override: { type: 'array', items: { type: 'string', enum: [...words] }, minItems: 1 },
      param: { style: 'form', explode: false },
    });
}
