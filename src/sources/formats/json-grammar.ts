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
interface JsonGrammar {
  /** @throws {JsonError} for an unexpected token. */
  accept(token: TokenType, offset: number): TokenRole;
  /** @throws {JsonError} when the text is incomplete. */
  end(): void;
  /** Number of open lists and objects. */
  depth(): number;
}

export function createJsonGrammar(): JsonGrammar {
  let expected: keyof typeof expectations = 'value';
  /** Per open level: 1 for a list, 0 for an object. */
  let levels = new Uint8Array(64);
  let depth = 0;

  const unexpected = (place: string) => new JsonError(`it is not JSON: expected ${expectations[expected]} ${place}`);
  const open = (isNewList: boolean): TokenRole => {
    if (depth === levels.length) {
      const longer = new Uint8Array(depth * 2);
      longer.set(levels);
      levels = longer;
    }
    levels[depth] = isNewList ? 1 : 0;
    depth += 1;
    expected = isNewList ? 'value or end' : 'key or end';
    return isNewList ? 'open-list' : 'open-object';
  };
  const afterValue = () => {
    expected = depth === 0 ? 'nothing' : 'comma or end';
  };

  return {
    accept(token, offset) {
      const mayBeValue = expected === 'value' || expected === 'value or end';
      const isInList = depth > 0 && levels[depth - 1] === 1;
      switch (token) {
        case TokenType.LEFT_BRACE:
        case TokenType.LEFT_BRACKET:
          if (mayBeValue) return open(token === TokenType.LEFT_BRACKET);
          break;
        case TokenType.RIGHT_BRACE:
        case TokenType.RIGHT_BRACKET: {
          const expectedIfEmpty = isInList ? 'value or end' : 'key or end';
          if (isInList !== (token === TokenType.RIGHT_BRACKET) || depth === 0) break;
          if (expected !== 'comma or end' && expected !== expectedIfEmpty) break;
          depth -= 1;
          afterValue();
          return 'close';
        }
        case TokenType.COLON:
          if (expected !== 'colon') break;
          expected = 'value';
          return 'mark';
        case TokenType.COMMA:
          if (expected !== 'comma or end') break;
          expected = isInList ? 'value' : 'key';
          return 'mark';
        default:
          if (token === TokenType.STRING && (expected === 'key' || expected === 'key or end')) {
            expected = 'colon';
            return 'key';
          }
          if (!mayBeValue) break;
          afterValue();
          return 'scalar';
      }
      throw unexpected(`at byte ${offset}`);
    },
    end() {
      if (expected !== 'nothing') throw unexpected('at the end');
    },
    depth: () => depth,
  };
}
