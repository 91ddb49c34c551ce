import { LRUCache } from 'lru-cache';

/** Answers by URL, each valid while the data behind it is the same object. */
export interface AnswerCache<Answer> {
  get(url: string, data: object): Answer | undefined;
  set(url: string, data: object, answer: Answer): void;
}

const MAX_BYTES = 32 * 1_024 * 1_024;
/** Approximate size of an entry without its body. */
const OVERHEAD_BYTES = 2_048;
/** Factor that allows for the compressed variants, which are held as long as the answer. */
const VARIANTS = 2;

export function createAnswerCache<Answer extends { readonly body: unknown }>(): AnswerCache<Answer> {
  const cache = new LRUCache<string, { data: object; answer: Answer }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer: { body } }, url) =>
      (Buffer.isBuffer(body) ? body.length : 0) * VARIANTS + url.length + OVERHEAD_BYTES,
  });
  return {
    get(url, data) {
      const found = cache.get(url);
      return found?.data === data ? found.answer : undefined;
    },
    set(url, data, answer) {
      cache.set(url, { data, answer });
    },
  };
}
