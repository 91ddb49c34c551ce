import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wrapLines } from '../../../src/model/text/terminal-text.ts';

it('wrapLines keeps all words in order, and only a single word may exceed the width', () => {
  const word = fc.stringMatching(/^[a-z/:.]{1,100}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 10, max: 90 }), (words, width) => {
      const lines = wrapLines(words.join(' '), width, { first: '- ', indent: '  ', keepsWords: true });
      expect(lines.flatMap((line) => line.slice(2).split(' '))).toEqual(words);
      for (const line of lines) if (line.slice(2).includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
    }),
  );
});
