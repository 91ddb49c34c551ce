import type { Waiting } from './share-out.ts';

/** Lets what an iterator gives be taken; reads one item beyond what was taken, and nothing before it is asked. */
export function queueOf<Item>(items: Iterator<Item, unknown>): Waiting<Item> {
  let head: IteratorResult<Item, unknown> | null = null;
  const next = (): IteratorResult<Item, unknown> => {
    head ??= items.next();
    return head;
  };
  return {
    has: () => next().done !== true,
    take: () => {
      const taken = next();
      if (taken.done === true) throw new Error('nothing waits');
      head = null;
      return taken.value;
    },
  };
}
