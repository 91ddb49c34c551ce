import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DomainRefusal,
  domainRefusals,
  parseDomain,
  reservedSuffixes,
} from '../../../src/model/domain/parse-domain.ts';
import { ANY_CHARACTER } from '../../any-character.ts';

const read = (text: string, allowSuffixes: readonly string[] = []) => {
  const parse = parseDomain(text, { allowSuffixes });
  return parse.ok ? parse.domain : parse.reason;
};

describe('parseDomain reads', () => {
  it.each([
    ['a name as it is', 'loops.video', 'loops.video'],
    ['capitals', 'Loops.VIDEO', 'loops.video'],
    ['one trailing dot', 'loops.video.', 'loops.video'],
    ['a trailing dot before a port', 'loops.video.:8443', 'loops.video:8443'],
    ['white space around it', ' \tloops.video\r\n', 'loops.video'],
    ['an https URL', 'https://loops.video/about?x=1#y', 'loops.video'],
    ['an http URL', 'HTTP://loops.video', 'loops.video'],
    ['a URL without a scheme', '//loops.video/about', 'loops.video'],
    ['a name with a path', 'loops.video/about', 'loops.video'],
    ['a query directly after the name', 'loops.video?x=1', 'loops.video'],
    ['a fragment after a path', 'https://loops.video/#x', 'loops.video'],
    ['port 443', 'loops.video:443', 'loops.video'],
    ['port 443 with zeros', 'loops.video:0443', 'loops.video'],
    ['an empty port', 'https://loops.video:/', 'loops.video'],
    ['port 80 of http', 'http://loops.video:80/', 'loops.video'],
    ['port 80 of https', 'https://loops.video:80/', 'loops.video:80'],
    ['port 80 of no scheme', 'loops.video:80', 'loops.video:80'],
    ['another port', 'http://loops.video:8443/x', 'loops.video:8443'],
    ['a handle', '@user@loops.video', 'loops.video'],
    ['a handle of the host alone', '@kopiti.am', 'kopiti.am'],
    ['a handle without the first @', 'user@loops.video', 'loops.video'],
    ['an acct URI', 'acct:user@loops.video', 'loops.video'],
    ['userinfo in a URL, with any number of @', 'https://a@b:c@loops.video/', 'loops.video'],
    ['a profile URL', 'https://mastodon.social/@user', 'mastodon.social'],
    ['a profile of another host', 'mastodon.social/@user@loops.video', 'mastodon.social'],
    ['a URL in a path', 'loops.video/https://mastodon.social', 'loops.video'],
    ['a comma in a path', 'https://loops.video/a,b.c', 'loops.video'],
    ['the part before a backslash, as browsers do', 'https://loops.video\\@mastodon.social', 'loops.video'],
    ['a U-label', 'bücher.de', 'xn--bcher-kva.de'],
    ['an A-label', 'XN--Bcher-KVA.de', 'xn--bcher-kva.de'],
    ['sharp s as its own letter', 'faß.de', 'xn--fa-hia.de'],
    ['an emoji with a variation selector', 'i❤️.ws', 'xn--i-7iq.ws'],
    ['a middle dot between two letters l', 'col·lecció.cat', 'xn--collecci-ioa91d.cat'],
    ['a katakana middle dot between kana', 'ル・プ.jp', 'xn--udkwb7b.jp'],
    ['a non-joiner of Persian', 'نامه‌ای.com', 'xn--mgba3gch31f060k.com'],
    ['full-width letters and dots, as browsers do', 'ｌｏｏｐｓ．ｖｉｄｅｏ', 'loops.video'],
    ['ideographic full stops', 'loops。video。', 'loops.video'],
    ['a suffix in its own script', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['a host that is a public suffix', 'github.io', 'github.io'],
    ['hyphens in the third and fourth place', 'r3---sn.example.com', 'r3---sn.example.com'],
    ['example.org, which applications treat like any other name (RFC 6761)', 'loops.example.org', 'loops.example.org'],
  ])('%s', (_name, text, domain) => {
    expect(read(text)).toBe(domain);
  });
});

describe('parseDomain refuses', () => {
  it.each<[string, string, DomainRefusal]>([
    ['an empty text', '', 'empty'],
    ['white space', ' \u00a0\ufeff', 'empty'],
    ['a dot', '.', 'empty'],
    ['a scheme alone', 'https://', 'empty'],
    ['a path alone', '/etc/passwd', 'empty'],
    ['a handle without a host', '@', 'empty'],
    ['a dotted address', '192.0.2.1', 'ip-literal'],
    ['a dotted address in a URL with a port', 'http://192.0.2.1:80/', 'ip-literal'],
    ['a network', '192.0.2.0/24', 'ip-literal'],
    ['a short address', '127.1', 'ip-literal'],
    ['a decimal address', '2130706433', 'ip-literal'],
    ['an octal address', '0177.0.0.1', 'ip-literal'],
    ['a hexadecimal address', '0x7F000001', 'ip-literal'],
    ['a hexadecimal last part', '127.0.0.0x1', 'ip-literal'],
    ['an address out of range', '256.256.256.256', 'ip-literal'],
    ['an address with a trailing dot', '127.0.0.1.', 'ip-literal'],
    ['full-width digits', '１２７.0.0.1', 'ip-literal'],
    ['a name ending in a number', 'loops.1', 'ip-literal'],
    ['an address after a user', 'user@127.0.0.1', 'ip-literal'],
    ['a bare IPv6 address', '2001:db8::1', 'ip-literal'],
    ['the IPv6 loopback', '::1', 'ip-literal'],
    ['a mapped address', '::ffff:127.0.0.1', 'ip-literal'],
    ['an IPv6 address with a zone', 'fe80::1%eth0', 'ip-literal'],
    ['a bracketed IPv6 address', '[2001:db8::1]:8443', 'ip-literal'],
    ['an IPv6 address in a URL', 'https://[::1]/', 'ip-literal'],
    ['an IPv6 network', '2001:db8::/32', 'ip-literal'],
    ['localhost', 'localhost', 'single-label'],
    ['localhost with a port', 'http://localhost:8080/', 'single-label'],
    ['a bare suffix', 'video', 'single-label'],
    ['an underscore', 'my_loops.video', 'bad-label'],
    ['a leading hyphen', '-loops.video', 'bad-label'],
    ['a trailing hyphen', 'loops-.video', 'bad-label'],
    ['a hyphen in front of a U-label', '-bücher.de', 'bad-label'],
    ['an empty label', 'loops..video', 'bad-label'],
    ['a leading dot', '.loops.video', 'bad-label'],
    ['two trailing dots', 'loops.video..', 'bad-label'],
    ['percent-encoding', 'loops%2evideo', 'bad-label'],
    ['percent-encoding in a name with a U-label', 'bücher%2ede', 'bad-label'],
    ['a NUL byte', 'loops\0.video', 'bad-label'],
    ['a wildcard', '*.loops.video', 'bad-label'],
    ['quotes and a comma', '"loops.video",', 'bad-label'],
    ['a bidirectional override', '\u202eloops.video', 'bad-label'],
    ['a full-width slash', 'loops.video／about', 'bad-label'],
    ['a word before a name', 'see loops.video', 'bad-label'],
    ['Punycode that decodes to nothing', 'xn--a.video', 'bad-label'],
    ['Punycode of plain ASCII', 'xn--loops-.video', 'bad-label'],
    ['a label of 64 characters', `${'a'.repeat(64)}.video`, 'bad-label'],
    ['a U-label whose A-label is over 63 characters', `${'é'.repeat(64)}.video`, 'bad-label'],
    ['a host of 254 characters', `${'a.'.repeat(124)}social`, 'too-long'],
    ['a text of megabytes', 'a'.repeat(10_000_000), 'too-long'],
    ['a suffix that does not exist', 'loops.vidio', 'unknown-suffix'],
    ['localdomain', 'localhost.localdomain', 'unknown-suffix'],
    ['two hosts and a space', 'a.social b.social', 'two-hosts'],
    ['two hosts and a tab', 'a.social\tb.social', 'two-hosts'],
    ['two hosts and a comma', 'a.social,b.social', 'two-hosts'],
    ['two hosts and a semicolon', 'a.social;b.social', 'two-hosts'],
    ['two URLs and a comma', 'https://a.social/,https://b.social/', 'two-hosts'],
    ['two URLs and a space', 'https://a.social/ https://b.social/', 'two-hosts'],
    ['two URLs and nothing between', 'https://a.socialhttps://b.social', 'two-hosts'],
    ['a handle of two hosts', '@user@a.social@b.social', 'two-hosts'],
    ['port 0', 'loops.video:0', 'bad-port'],
    ['port 65536', 'loops.video:65536', 'bad-port'],
    ['a port in letters', 'loops.video:https', 'bad-port'],
    ['two ports', 'loops.video:443:443', 'bad-port'],
    ['the port of mail', 'loops.video:25', 'blocked-port'],
    ['the port of SSH in a URL', 'https://loops.video:22/', 'blocked-port'],
    ['a port of chats with zeros', 'loops.video:06667', 'blocked-port'],
    ['the last of the blocked ports', 'loops.video:10080', 'blocked-port'],
    ['ftp', 'ftp://loops.video', 'unsupported-scheme'],
    ['mail', 'mailto:user@loops.video', 'unsupported-scheme'],
  ])('%s', (_name, text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it.each([
    ['asterisks', 'media.******y.social'],
    ['asterisks at the end', 'media.social***'],
    ['full-width asterisks', 'media.＊＊y.social'],
    ['asterisks escaped in Markdown', 'media.so\\*\\*al.social'],
    ['number signs', 'media.social##.test'],
    ['number signs in a URL', 'https://media.social##.test'],
    ['full-width number signs', 'media.social＃＃.test'],
    ['question marks', 'media.so??al.test'],
    ['an ellipsis', 'media.…y.social'],
    ['three dots', '...y.social'],
    ['bullets', 'media.•••y.social'],
    ['middle dots', 'media·y.social'],
    ['katakana middle dots', 'media・・y.social'],
    ['blocks', 'media.██y.social'],
    ['shades', 'media▒y.social'],
    ['squares', 'media■y.social'],
    ['coloured squares', 'media🟥y.social'],
    ['circles', 'media●y.social'],
    ['stars', 'media★y.social'],
    ['multiplication signs', 'media××y.social'],
    ['dashes', 'media––y.social'],
    ['underscores', 'media.__y.social'],
    ['hyphens', 'media.---.social'],
    ['tildes', 'media.~~y.social'],
    ['a replacement character', 'media\ufffdy.social'],
    ['a zero-width space', 'media.\u200by.social'],
    ['a soft hyphen', 'me\u00addia.social'],
    ['a Hangul filler', 'media.\u3164y.social'],
    ['a dot in brackets', 'media[.]social'],
    ['a word in brackets', 'media[dot]y.social'],
    ['a word in parentheses', 'media(dot)y.social'],
    ['a dot in braces', 'media{.}y.social'],
    ['a full-width at sign', 'medi＠y.social'],
  ])('a name with a part hidden by %s', (_name, text) => {
    expect(read(text)).toBe('bad-label');
  });

  it.each(reservedSuffixes.map(({ suffix }) => suffix))('a name under .%s', (suffix) => {
    expect(read(`loops.${suffix}`)).toBe('reserved-suffix');
    expect(read(`loops.${suffix}`, [suffix])).toBe(`loops.${suffix}`);
  });
});

describe('parseDomain', () => {
  it('accepts the longest possible host', () => {
    const host = `${'a.'.repeat(123)}example`.padStart(253, 'a');
    expect(host).toHaveLength(253);
    expect(read(host, ['example'])).toBe(host);
  });

  it('accepts an allowed suffix in place of the public suffix list, but relaxes no other rule', () => {
    expect(read('loops.lan', ['lan'])).toBe('loops.lan');
    expect(read('loops.fleet.lan', ['fleet.lan'])).toBe('loops.fleet.lan');
    expect(read('loops.lan', ['fleet.lan'])).toBe('unknown-suffix');
    expect(read('loopslan', ['lan'])).toBe('single-label');
    expect(read('loops.plan', ['lan'])).toBe('unknown-suffix');
    expect(read('127.0.0.1', ['1'])).toBe('ip-literal');
  });
});

/** Strings built from parts of hosts, URLs and attacks, so that more of them look like a host than random text does. */
const hostLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['.', '@', ':', '/', '//', 'https://', 'http:', '[', ']', '%', '%2e', '-', '_', 'xn--', '\\', ',', ' ', '#'],
        ...['443', '80', '0x7f', '127.0.0.1', '::1', '。', '／', 'ß', 'é', '❤️', '\u200d', '\u00ad', '\0', '.social'],
      ),
      fc.stringMatching(/^[a-zA-Z0-9]{1,4}$/),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('parseDomain, on any string,', () => {
  it.each([
    ['text', fc.string({ unit: ANY_CHARACTER, maxLength: 100 })],
    ['host-like text', hostLike],
    ['host-like text under a suffix', hostLike.map((text) => `${text}.social`)],
    ['web URLs', fc.webUrl({ withFragments: true, withQueryParameters: true })],
  ])('made of %s, never throws, returns LDH labels and parses its own result unchanged', (_name, strings) => {
    fc.assert(
      fc.property(strings, (text) => {
        const parse = parseDomain(text);
        if (!parse.ok) {
          expect(Object.keys(domainRefusals)).toContain(parse.reason);
          expect(parse.detail).not.toBe('');
          return;
        }
        const label = '(?!-)[a-z0-9-]{1,63}(?<!-)';
        expect(parse.domain).toMatch(new RegExp(`^${label}(\\.${label})+(:[1-9][0-9]{0,4})?$`));
        expect(parseDomain(parse.domain)).toEqual(parse);
        expect(new URL(`https://${parse.domain}/`).host).toBe(parse.domain);
      }),
      { numRuns: 80 },
    );
  });

  it('returns the same host as the URL standard', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], authoritySettings: { withPort: true } }), (text) => {
        const parse = parseDomain(text);
        if (parse.ok) expect(parse.domain).toBe(new URL(text).host);
      }),
    );
  });
});
