/** So much of one entry is kept; what goes beyond it is `…`, so that an entry may be of any length and depth. */
const MOST_LEVELS = 8;
const MOST_VALUES = 2_000;
const MOST_CHARACTERS = 65_536;

type Container = Record<string, unknown> | unknown[];

/** Puts one list or object together from its parts. */
export interface EntryBuilder {
  key(name: string): void;
  scalar(value: unknown): void;
  open(isList: boolean): void;
  /** The entry when it is whole, else undefined. */
  close(): Container | undefined;
}

export function createEntryBuilder(isList: boolean): EntryBuilder {
  const root = containerOf(isList);
  const open: { container: Container; key: string }[] = [{ container: root, key: '' }];
  /** Open lists and objects that are not kept. */
  let skipped = 0;
  let values = 0;
  let characters = 0;

  /** Whether there was room for it. */
  function add(value: unknown): boolean {
    const inner = open.at(-1);
    if (inner === undefined || skipped > 0 || values > MOST_VALUES) return false;
    const { container, key } = inner;
    values += 1;
    characters += key.length + (typeof value === 'string' ? value.length : 0);
    const kept = characters > MOST_CHARACTERS ? '…' : value;
    if (Array.isArray(container)) container.push(kept);
    else container[key] = kept;
    return kept === value;
  }

  return {
    key(name) {
      const inner = open.at(-1);
      if (inner !== undefined && skipped === 0) inner.key = name;
    },
    scalar: (value) => void add(value),
    open(isInnerList) {
      const container = containerOf(isInnerList);
      const isDeep = open.length >= MOST_LEVELS;
      if (add(isDeep ? '…' : container) && !isDeep) open.push({ container, key: '' });
      else skipped += 1;
    },
    close() {
      if (skipped > 0) skipped -= 1;
      else open.pop();
      return open.length === 0 ? root : undefined;
    },
  };
}

/** A key may be `__proto__`. Objects made of null itself would be hash tables, and take four times the memory. */
const NOTHING = Object.freeze(Object.create(null));

function containerOf(isList: boolean): Container {
  return isList ? [] : Object.create(NOTHING);
}
