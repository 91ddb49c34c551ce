import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';

/** Answers by URL, each valid as long as its source is the same object. */
export interface AnswerCache {
  get(url: string, source: object): Answer | undefined;
  set(url: string, source: object, answer: Answer): void;
}

const MAX_BYTES = 32 * 1_024 * 1_024;
/** Of an entry without its body, about. */
const OVERHEAD_BYTES = 2_048;
/** An answer and its compressed forms, which are kept as long as the answer is. */
const FORMS = 2;

export function createAnswerCache(): AnswerCache {
  const kept = new LRUCache<string, { source: object; answer: Answer }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer }, url) => answer.body.length * FORMS + url.length + OVERHEAD_BYTES,
  });
  return {
    get(url, source) {
      const found = kept.get(url);
      return found?.source === source ? found.answer : undefined;
    },
    set(url, source, answer) {
      kept.set(url, { source, answer });
    },
  };
}
