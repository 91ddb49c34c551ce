import fc from 'fast-check';

/** Any character but half of a surrogate pair. The unit 'binary' of fast-check first makes a table of all of them, for a second. */
export const ANY_CHARACTER = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
