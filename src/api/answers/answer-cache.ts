import { LRUCache } from 'lru-cache';
import { type Answer, saysTheSame } from './answer.ts';

/** Answers that are ready, by the address that was asked for, as long as what they were made from is the same. */
export interface AnswerCache {
  get(url: string, from: object): Answer | undefined;
  /**
   * Keeps an answer. The one that was kept before is answered, and stays, when the new one says nothing else but when it was made, so
   * that who has it is told that it has not changed.
   */
  keep(url: string, from: object, answer: Answer): Answer;
}

const MOST_BYTES = 32 * 1_024 * 1_024;
/** Of an entry beside its body, about. */
const OVERHEAD_BYTES = 2_048;
/** Compressed forms come on top of the body, and are smaller. */
const FORMS = 2;

export function createAnswerCache(): AnswerCache {
  const kept = new LRUCache<string, { from: object; answer: Answer }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ answer }, url) => answer.body.length * FORMS + url.length + OVERHEAD_BYTES,
  });
  return {
    get(url, from) {
      const found = kept.get(url);
      return found?.from === from ? found.answer : undefined;
    },
    keep(url, from, made) {
      const before = kept.get(url)?.answer;
      const answer = before !== undefined && saysTheSame(before, made) ? before : made;
      kept.set(url, { from, answer });
      return answer;
    },
  };
}
