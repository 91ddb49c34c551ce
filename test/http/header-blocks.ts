import fc from 'fast-check';

const names = [
  'Content-Length',
  'content-length ',
  'Transfer-Encoding',
  'Transfer-Encoding ',
  'Location',
  'X-Policy',
  'X Y',
  'Connection',
  'Set-Cookie',
  '',
];
const values = [
  '2',
  '0',
  '2, 2',
  '-1',
  'chunked',
  'gzip, chunked',
  'close',
  'https://caf\xc3\xa9.example/',
  'a\xe9',
  '',
];
const pieces = [
  '\0',
  '\x01',
  '\x7f',
  '\t',
  '\r',
  '\r\n ',
  '\r\n\t',
  '\n',
  '\n ',
  '\r\n',
  ' ',
  ':',
  ';',
  '\x1b',
  'a',
  'b',
];

const line = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom(':', ' :', ': ', ''),
    fc.array(fc.oneof(fc.constantFrom(...values), fc.constantFrom(...pieces)), { maxLength: 4 }),
    fc.oneof({ weight: 5, arbitrary: fc.constant('\r\n') }, { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '') }),
  )
  .map(([name, colon, parts, end]) => name + colon + parts.join('') + end);
const startLine = fc.oneof(
  { weight: 8, arbitrary: fc.constant('HTTP/1.1 200 OK\r\n') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 200 OK\n',
      'HTTP/1.0 200 OK\r\n',
      'HTTP/1.7 200 OK\r\n',
      'HTTP/2 200\r\n',
      '\r\n',
      '',
    ),
  },
);

/** Answers with header blocks that are valid, nearly valid or hostile. */
export const headerBlocks: fc.Arbitrary<Buffer> = fc
  .tuple(
    startLine,
    fc.array(line, { maxLength: 8 }),
    fc.constantFrom('\r\n', '\n', ''),
    fc.constantFrom('{}', '2\r\n{}\r\n0\r\n\r\n', ''),
  )
  .map(([start, lines, end, body]) => Buffer.from(start + lines.join('') + end + body, 'latin1'));
