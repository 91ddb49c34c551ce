import TokenType from '@streamparser/json/utils/types/tokenType.js';

/** Invalid or unusable JSON. The message is one phrase. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const expectations = {
  value: 'a value',
  'value or end': 'a value or "]"',
  'key or end': 'a key or "}"',
  key: 'a key',
  colon: '":"',
  'comma or end': '"," or the end of the list or object',
  nothing: 'the end of the text',
} as const;

/** The role of a token in its context. */
type TokenRole = 'key' | 'scalar' | 'open-object' | 'open-list' | 'close' | 'mark';

/** Validates the order of tokens (RFC 8259 section 2), with one byte per level because a hostile text may nest without end. */
export class JsonGrammar {
  #expected: keyof typeof expectations = 'value';
  /** Per open level: 1 for a list, 0 for an object. */
  #levels = new Uint8Array(64);
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** @throws {JsonError} for an unexpected token. */
  accept(token: TokenType, offset: number): TokenRole {
    const expected = this.#expected;
    const mayBeValue = expected === 'value' || expected === 'value or end';
    const isInList = this.#depth > 0 && this.#levels[this.#depth - 1] === 1;
    switch (token) {
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        if (mayBeValue) return this.#open(token === TokenType.LEFT_BRACKET);
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET: {
        const expectedIfEmpty = isInList ? 'value or end' : 'key or end';
        if (isInList !== (token === TokenType.RIGHT_BRACKET) || this.#depth === 0) break;
        if (expected !== 'comma or end' && expected !== expectedIfEmpty) break;
        this.#depth -= 1;
        return this.#afterValue('close');
      }
      case TokenType.COLON:
        if (expected !== 'colon') break;
        this.#expected = 'value';
        return 'mark';
      case TokenType.COMMA:
        if (expected !== 'comma or end') break;
        this.#expected = isInList ? 'value' : 'key';
        return 'mark';
      default:
        if (token === TokenType.STRING && (expected === 'key' || expected === 'key or end')) {
          this.#expected = 'colon';
          return 'key';
        }
        if (mayBeValue) return this.#afterValue('scalar');
    }
    throw this.#unexpected(`at byte ${offset}`);
  }

  /** @throws {JsonError} when the text is incomplete. */
  end(): void {
    if (this.#expected !== 'nothing') throw this.#unexpected('at the end');
  }

  #open(isList: boolean): TokenRole {
    if (this.#depth === this.#levels.length) {
      const longer = new Uint8Array(this.#depth * 2);
      longer.set(this.#levels);
      this.#levels = longer;
    }
    this.#levels[this.#depth] = isList ? 1 : 0;
    this.#depth += 1;
    this.#expected = isList ? 'value or end' : 'key or end';
    return isList ? 'open-list' : 'open-object';
  }

  #afterValue(role: TokenRole): TokenRole {
    this.#expected = this.#depth === 0 ? 'nothing' : 'comma or end';
    return role;
  }

  #unexpected(place: string): JsonError {
    return new JsonError(`it is not JSON: expected ${expectations[this.#expected]} ${place}`);
  }
}
