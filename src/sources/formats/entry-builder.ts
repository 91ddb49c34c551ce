/** Limits of one entry; values beyond them become `…` or are dropped with their keys, so that memory stays bounded for any entry. */
const MAX_LEVELS = 8;
const MAX_VALUES = 2_000;
/** Of keys and strings together. */
const MAX_CHARACTERS = 65_536;
/** A longer key is dropped with its value once {@link MAX_CHARACTERS} is exceeded. */
const MAX_KEY_CHARACTERS = 100;

type Container = Record<string, unknown> | unknown[];

export class EntryBuilder {
  readonly #root: Container;
  readonly #open: { container: Container; key: string }[];
  /** Number of open lists and objects that are skipped. */
  #skipped = 0;
  #values = 0;
  #characters = 0;

  constructor(isList: boolean) {
    this.#root = createContainer(isList);
    this.#open = [{ container: this.#root, key: '' }];
  }

  key(name: string): void {
    const inner = this.#open.at(-1);
    if (inner !== undefined && this.#skipped === 0) inner.key = name;
  }

  scalar(value: unknown): void {
    this.#add(value);
  }

  open(isList: boolean): void {
    const container = createContainer(isList);
    const isDeep = this.#open.length >= MAX_LEVELS;
    if (this.#add(isDeep ? '…' : container) && !isDeep) this.#open.push({ container, key: '' });
    else this.#skipped += 1;
  }

  /** The entry when it is complete, else undefined. */
  close(): Container | undefined {
    if (this.#skipped > 0) this.#skipped -= 1;
    else this.#open.pop();
    return this.#open.length === 0 ? this.#root : undefined;
  }

  /** Adds a value to the innermost open list or object. Returns whether it was within the limits. */
  #add(value: unknown): boolean {
    const inner = this.#open.at(-1);
    if (inner === undefined || this.#skipped > 0 || this.#values >= MAX_VALUES) return false;
    const { container, key } = inner;
    this.#values += 1;
    this.#characters += key.length + (typeof value === 'string' ? value.length : 0);
    const isTooLong = this.#characters > MAX_CHARACTERS;
    const stored = isTooLong ? '…' : value;
    if (Array.isArray(container)) container.push(stored);
    else if (!isTooLong || key.length <= MAX_KEY_CHARACTERS) container[key] = stored;
    return !isTooLong;
  }
}

/** A prototype without properties, because a key may be `__proto__`. Objects with a null prototype would take four times the memory. */
const EMPTY_PROTOTYPE = Object.freeze(Object.create(null));

function createContainer(isList: boolean): Container {
  return isList ? [] : Object.create(EMPTY_PROTOTYPE);
}
