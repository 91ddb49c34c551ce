import { expect, test } from 'vitest';
import { distinctName } from '../../../src/model/text/quoted-name.ts';

test('a name that could be read as another is quoted, with its hidden characters visible', () => {
  const shown = (names: readonly string[]) => names.map(distinctName);
  expect(shown(['loops', 'Loops 1.0', '1.0.0-beta.2'])).toEqual(['loops', 'Loops 1.0', '1.0.0-beta.2']);
  expect(shown(['loops ', 'lo\u200bops', ' loops', 'a  b', 'löops', ''])).toEqual([
    '"loops␣"',
    '"lo<U+200B>ops"',
    '"␣loops"',
    '"a␣␣b"',
    '"löops"',
    '""',
  ]);
});
