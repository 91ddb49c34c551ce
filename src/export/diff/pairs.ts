/** Goes along two lists that are sorted by domain: what has the same domain comes together, else each comes with null. */
export function* pairs<Item extends { domain: string }>(
  before: Iterable<Item>,
  after: Iterable<Item>,
): Iterable<[Item, Item] | [Item, null] | [null, Item]> {
  using ones = iteratorOf(before);
  using others = iteratorOf(after);
  let one = ones.next();
  let other = others.next();
  while (one !== null || other !== null) {
    if (one !== null && other !== null && one.domain === other.domain) {
      yield [one, other];
      [one, other] = [ones.next(), others.next()];
    } else if (other === null || (one !== null && one.domain < other.domain)) {
      if (one !== null) yield [one, null];
      one = ones.next();
    } else {
      yield [null, other];
      other = others.next();
    }
  }
}

function iteratorOf<Item>(items: Iterable<Item>): { next(): Item | null } & Disposable {
  const iterator = items[Symbol.iterator]();
  return {
    next: () => {
      const { done, value } = iterator.next();
      return done ? null : value;
    },
    [Symbol.dispose]: () => {
      iterator.return?.();
    },
  };
}
