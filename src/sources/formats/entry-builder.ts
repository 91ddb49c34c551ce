/** Limits of one entry; values beyond them become `…` or are dropped with their keys, so that memory stays bounded for any entry. */
const MAX_LEVELS = 8;
const MAX_VALUES = 2_000;
/** Of keys and strings together. */
const MAX_CHARACTERS = 65_536;
/** A longer key is dropped with its value once {@link MAX_CHARACTERS} is exceeded. */
const MAX_KEY_CHARACTERS = 100;

type Container = Record<string, unknown> | unknown[];

/** Builds one list or object from its tokens. */
export interface EntryBuilder {
  key(name: string): void;
  scalar(value: unknown): void;
  open(isList: boolean): void;
  /** The entry when it is complete, else undefined. */
  close(): Container | undefined;
}

export function createEntryBuilder(isList: boolean): EntryBuilder {
  const root = createContainer(isList);
  const open: { container: Container; key: string }[] = [{ container: root, key: '' }];
  /** Number of open lists and objects that are skipped. */
  let skipped = 0;
  let values = 0;
  let characters = 0;

  /** Adds a value to the innermost open list or object. Returns whether it was within the limits. */
  function add(value: unknown): boolean {
    const inner = open.at(-1);
    if (inner === undefined || skipped > 0 || values >= MAX_VALUES) return false;
    const { container, key } = inner;
    values += 1;
    characters += key.length + (typeof value === 'string' ? value.length : 0);
    const isTooLong = characters > MAX_CHARACTERS;
    const stored = isTooLong ? '…' : value;
    if (Array.isArray(container)) container.push(stored);
    else if (!isTooLong || key.length <= MAX_KEY_CHARACTERS) container[key] = stored;
    return !isTooLong;
  }

  return {
    key(name) {
      const inner = open.at(-1);
      if (inner !== undefined && skipped === 0) inner.key = name;
    },
    scalar: (value) => void add(value),
    open(isInnerList) {
      const container = createContainer(isInnerList);
      const isDeep = open.length >= MAX_LEVELS;
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

/** A prototype without properties, because a key may be `__proto__`. Objects with a null prototype would take four times the memory. */
const EMPTY_PROTOTYPE = Object.freeze(Object.create(null));

function createContainer(isList: boolean): Container {
  return isList ? [] : Object.create(EMPTY_PROTOTYPE);
}
