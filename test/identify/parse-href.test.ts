import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHref } from '../../src/identify/documents.ts';

describe('parseHref', () => {
  it.each([
    ['https://server.example/nodeinfo/2.0', 'https://server.example', '/nodeinfo/2.0'],
    ['HTTPS://Server.Example:443/N', 'https://server.example', '/N'],
    ['http://server.example:80/', 'http://server.example', '/'],
    ['https://server.example', 'https://server.example', '/'],
    ['https://server.example?x', 'https://server.example', '/?x'],
    ['https://server.example#x', 'https://server.example', '/'],
    ['https://server.example/?', 'https://server.example', '/?'],
    ['https://server.example/n#a/?b@c', 'https://server.example', '/n'],
    ['https://server.example/a/../b/./c/%2e%2E/d', 'https://server.example', '/a/../b/./c/%2e%2E/d'],
    ['https://server.example//a//', 'https://server.example', '//a//'],
    ["https://server.example/'?'\"<>^`{|}", 'https://server.example', "/'?'\"<>^`{|}"],
    ['https://server.example/@user:word@x/:y', 'https://server.example', '/@user:word@x/:y'],
    ['https://server.example./n', 'https://server.example', '/n'],
    ['https://server.example.:8443/n', 'https://server.example:8443', '/n'],
    ['https://server.example:/n', 'https://server.example', '/n'],
    ['https://[::1]/n', 'https://[::1]', '/n'],
  ])('parses %s', (href, origin, target) => {
    const parsed = parseHref(href);
    expect([parsed?.url.origin, parsed?.target]).toEqual([origin, target]);
  });

  it.each([
    '',
    '/nodeinfo/2.0',
    'nodeinfo/2.0',
    '//server.example/n',
    'server.example/n',
    'https:server.example/n',
    'https:/server.example/n',
    'https:///server.example/n',
    'https:////server.example/n',
    'https://',
    'https://?x',
    'https://#x',
    'https://:443/n',
    'https:\\\\server.example\\n',
    'https://server.example\\n',
    'https://server.example/n\\o',
    'https://server.example/n#\\',
    ' https://server.example/n',
    'https://server.example/n ',
    'https://server.example/n\n',
    'https://server.example/n o',
    'https://server.example/n\to',
    'https://server.exa\nmple/n',
    'ht\ntps://server.example/n',
    'https://server.example/n\u0000',
    'https://server.example/n\u007f',
    'https://server.example/n\u00a0',
    'https://server.example/n#\u00fc',
    'https://b\u00fccher.example/n',
    'https://server.example/b\u00fccher',
    'https://@server.example/n',
    'https://:@server.example/n',
    'https://user@server.example/n',
    'https://user:word@server.example?x',
    'https://user@server.example@other.example/n',
    'https://user@',
    'https://server.example:99999/n',
    'https://server.example:x/n',
    'https://a b/n',
    'ftp://server.example/n',
    'javascript://server.example/%0aalert(1)',
    `https://server.example/${'x'.repeat(2_000)}`,
  ])('returns null for %j', (href) => {
    expect(parseHref(href)).toBeNull();
  });

  it('returns the target of any href unchanged, and the same host as a URL parser', () => {
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const text = fc.array(fc.oneof(printable, fc.constantFrom('/', '.', '..', '%2e', '?', '@', '\\', '\n', '\u00fc')));
    fc.assert(
      fc.property(fc.constantFrom('', '/', '?', '//'), text, (start, parts) => {
        const rest = start + parts.join('');
        const parsed = parseHref(`https://server.example${rest}`);
        if (parsed === null || start === '') return;
        expect(parsed.url.host).toBe('server.example');
        expect(parsed.target).toBe(`${start === '?' ? '/' : ''}${rest}`.split('#')[0]);
      }),
      { numRuns: 150 },
    );
  });
});
