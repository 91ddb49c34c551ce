import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_RULES, parseRobots, ROBOTS_MAX_BYTES, withoutPartialLine } from '../../src/http/robots.ts';

const config = '/api/v1/config';
const discovery = '/.well-known/nodeinfo';

/** The groups that forbid config and NodeInfo discovery, null if none does. */
function forbiddenBy(text: string): [config: string | null, discovery: string | null] {
  const { forbiddenBy } = parseRobots(Buffer.from(text));
  return [forbiddenBy(config), forbiddenBy(discovery)];
}

describe('parseRobots', () => {
  it.each<[string, string, [string | null, string | null]]>([
    ['an empty file forbids nothing', '', [null, null]],
    ['a web page forbids nothing', '<!doctype html><title>Loops</title>', [null, null]],
    ['a group for everyone applies', 'User-agent: *\nDisallow: /\n', ['everyone', 'everyone']],
    ['a group for another crawler does not apply', 'User-agent: Otherbot\nDisallow: /\n', [null, null]],
    ['a group for Loopscout applies', 'User-agent: Loopscout\nDisallow: /\n', ['named', 'named']],
    ['a group for Loopscout in lower case applies', 'user-agent: loopscout\ndisallow: /\n', ['named', 'named']],
    ['a group for Loopscout with a version applies', 'User-agent: Loopscout/1.0\nDisallow: /api/\n', ['named', null]],
    [
      'a group for Loopscout with a comment applies',
      'User-agent: Loopscout # please\nDisallow: /api/\n',
      ['named', null],
    ],
    [
      'a group for Loopscout replaces the one for everyone',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nDisallow: /api/\n',
      ['named', null],
    ],
    [
      'a group for Loopscout may allow everything',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nAllow: /\n',
      [null, null],
    ],
    [
      'a group for Loopscout may have an empty Disallow, which forbids nothing',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nDisallow:\n',
      [null, null],
    ],
    [
      'a group for Loopscout and another crawler applies',
      'User-agent: Otherbot\nUser-agent: Loopscout\nDisallow: /api/\n',
      ['named', null],
    ],
    [
      'two groups for Loopscout are merged',
      'User-agent: Loopscout\nDisallow: /api/\n\nUser-agent: Loopscout\nDisallow: /.well-known/\n',
      ['named', 'named'],
    ],
    [
      'a name that only begins with Loopscout does not match',
      'User-agent: Loopscout-extra\nDisallow: /x\n\nUser-agent: *\nDisallow: /api/\n',
      ['everyone', null],
    ],
    ['the longest match wins', 'User-agent: *\nDisallow: /api/\nAllow: /api/v1/config\n', [null, null]],
    [
      'the longest match wins in any order',
      'User-agent: *\nAllow: /\nDisallow: /api/v1/\nAllow: /api/\n',
      ['everyone', null],
    ],
    ['Allow wins ties', 'User-agent: *\nDisallow: /api/v1/\nAllow: /api/v1/\n', [null, null]],
    [
      '* matches any characters, and $ the end of a path',
      'User-agent: *\nDisallow: /*/config$\nDisallow: /.well-known/$\n',
      ['everyone', null],
    ],
    ['a byte order mark is ignored', '\uFEFFUser-agent: Loopscout\nDisallow: /\n', ['named', 'named']],
    ['lines may end with CRLF', 'User-agent: Loopscout\r\nDisallow: /api/\r\n', ['named', null]],
    ['lines may end with CR', 'User-agent: *\rDisallow: /api/\r', ['everyone', null]],
    ['the usual misspellings are read', 'useragent: Loopscout\nDisalow: /api/\n', ['named', null]],
    ['a missing colon is read between two words', 'User-agent Loopscout\nDisallow\t/api/ # x\n', ['named', null]],
    ['three words without a colon are not read', 'User-agent: *\nDisallow /api/ please\n', [null, null]],
    ['U+2028 does not end a line', 'User-agent: *\nDisallow: /x\u2028Disallow: /api/\n', [null, null]],
    [
      'a line with another field does not end a group',
      'User-agent: *\nSitemap: /x\nDisallow: /api/\n',
      ['everyone', null],
    ],
    [
      'a comment with a colon is ignored',
      '# User-agent: *\nDisallow: /\nUser-agent: x # y: z\nDisallow: /',
      [null, null],
    ],
    [
      'white space around names and values is ignored',
      '  User-agent :  Loopscout  \n\t Disallow :  /api/ \n',
      ['named', null],
    ],
    [
      'percent-encoding matches in any case',
      'User-agent: *\nDisallow: /%2ewell%2Dknown\nDisallow: /%61%70%69/\n',
      ['everyone', 'everyone'],
    ],
  ])('%s', (_claim, text, expected) => {
    expect(forbiddenBy(text)).toEqual(expected);
  });

  it('finds that a file like that of live Loops servers forbids config and allows NodeInfo', () => {
    const live =
      'User-agent: *\nAllow: /\nAllow: /.well-known/nodeinfo\nAllow: /nodeinfo/2.0\nDisallow: /api/\nAllow: /api/v1/video/\n';
    expect(forbiddenBy(live)).toEqual(['everyone', null]);
  });

  it.each(['//nodeinfo/2.0', '//', '//[', '///x', '/\\\\evil.example/', '/?x=//y'])(
    'applies rules to the path %s of this host',
    (path) => {
      const { forbiddenBy } = parseRobots(Buffer.from('User-agent: *\nDisallow: /\n'));
      expect(forbiddenBy(path)).toBe('everyone');
    },
  );

  it('applies rules to the query too', () => {
    const { forbiddenBy } = parseRobots(Buffer.from('User-agent: *\nDisallow: /*?format=json\n'));
    expect(forbiddenBy('/nodeinfo?format=json')).toBe('everyone');
    expect(forbiddenBy('/nodeinfo?format=xml')).toBeNull();
  });

  it.each([
    ['/x/', '/x/../nodeinfo', 'everyone'],
    ['/nodeinfo', '/x/../nodeinfo', null],
    ['/x/./', '/x/./y', 'everyone'],
    ['/x/%2e%2E/', '/x/%2E%2e/y', 'everyone'],
    ['/*?$', '/nodeinfo?', 'everyone'],
    ['/*?$', '/nodeinfo', null],
    ["/?a='b'", "/?a='b'", 'everyone'],
    ['/?a="b"|^`{}[]<>', '/?a="b"|^`{}[]<>', 'everyone'],
    ['/n"o', '/n"o', 'everyone'],
    ['/b\u00fccher', '/b%c3%bccher', 'everyone'],
    ['*/2.0$', '/nodeinfo/2.0', 'everyone'],
    ['nodeinfo', '/nodeinfo', null],
    ['/%25', '/%25', 'everyone'],
    ['/', '/', 'everyone'],
    // Escapes of unreserved characters are decoded, on both sides.
    ['/%61pi/', '/api/v1', 'everyone'],
    ['/api/', '/%61p%69/v1', 'everyone'],
    ['/%2Ewell%2dknown%2F', '/.well-known%2fnodeinfo', 'everyone'],
    ['/%7E%5f%30%5A', '/~_0Z', 'everyone'],
    ['/%41pi', '/api', null],
    // All others stay.
    ['/api%2Fv1', '/api/v1', null],
    ['/api/v1', '/api%2fv1', null],
    ['/a%3Fb', '/a?b', null],
    ['/%2561', '/a', null],
    ['/%2561', '/%2561', 'everyone'],
    ['/%', '/%', 'everyone'],
    ['/%6', '/%61', null],
    ['/%zz', '/%zz', 'everyone'],
    // What a URI cannot contain equals its escape.
    ['/b%C3%BCcher', '/b\u00fccher', 'everyone'],
    ['/\u00e0', '/%c3%a0/x', 'everyone'],
    ['/\u{1f3ac}', '/%F0%9F%8E%AC', 'everyone'],
    ['/a"b', '/a%22b', 'everyone'],
    ['/a%7Cb', '/a|b', 'everyone'],
    // Only rules give `*` and `$` a meaning, unless they are escaped.
    ['/a%2Ab', '/a*b', 'everyone'],
    ['/a%2ab', '/axb', null],
    ['/a*b', '/a%2A%62', 'everyone'],
    ['/a%24', '/a$b', 'everyone'],
    ['/a$b', '/a%24b', 'everyone'],
    ['/a$b$', '/a$b', 'everyone'],
    ['/a$b$', '/a$bc', null],
    ['/*a*a*b$', '/aab', 'everyone'],
    ['/*a*a*b$', '/aba', null],
    ['/**a', '/xa', 'everyone'],
    ['*', '/', 'everyone'],
    ['/$', '/', 'everyone'],
    ['/$', '/x', null],
    ['$', '/', null],
  ])('compares the rule %s with the target %s', (rule, target, expected) => {
    for (const line of [`Disallow: ${rule}`, `  disallow:${rule}`, `DISALLOW : ${rule} # not this`])
      expect(parseRobots(Buffer.from(`User-agent: *\n${line}\n`)).forbiddenBy(target)).toBe(expected);
  });

  it('ignores the last line of a truncated file, which may be incomplete', () => {
    // A file of the maximum size may be the beginning of a longer one, so it counts as truncated.
    const truncatedWithEnd = (end: string) => {
      const start = 'User-agent: *\nDisallow: /api/\n#';
      return Buffer.from(`${start}${'x'.repeat(ROBOTS_MAX_BYTES - start.length - end.length)}${end}`);
    };
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      const { forbiddenBy } = parseRobots(truncatedWithEnd(`${lineEnd}Disallow: /`));
      expect([forbiddenBy(config), forbiddenBy(discovery)]).toEqual(['everyone', null]);
      expect(parseRobots(truncatedWithEnd(`${lineEnd}Disallow: /${lineEnd}`)).forbiddenBy(discovery)).toBe('everyone');
    }
    const oneByteShorter = truncatedWithEnd('\nDisallow: /').toString().replace('x', '');
    expect(parseRobots(Buffer.from(oneByteShorter)).forbiddenBy(discovery)).toBe('everyone');
  });

  it('matches a rule exactly if the regular expression of its meaning does', () => {
    const some = (characters: string) => fc.array(fc.constantFrom(...characters), { maxLength: 8 });
    fc.assert(
      fc.property(some('ab**'), some('ab'), fc.boolean(), (rule, rest, isAnchored) => {
        const meaning = new RegExp(`^/${rule.join('').replaceAll('*', '.*')}${isAnchored ? '$' : ''}`);
        const target = `/${rest.join('')}`;
        const text = `User-agent: *\nDisallow: /${rule.join('')}${isAnchored ? '$' : ''}\n`;
        expect(parseRobots(Buffer.from(text)).forbiddenBy(target)).toBe(meaning.test(target) ? 'everyone' : null);
      }),
      { numRuns: 80 },
    );
  });

  it('never throws on any bytes and paths', () => {
    const line = fc.tuple(
      fc.constantFrom('User-agent', 'Disallow', 'Allow', 'Sitemap', 'Crawl-delay', ''),
      fc.string(),
    );
    const text = fc
      .array(line.map(([name, value]) => `${name}: ${value}`))
      .map((lines) => Buffer.from(lines.join('\n')));
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const target = fc.array(printable).map((characters) => `/${characters.join('')}`);
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array()), target, (bytes, path) => {
        const group = parseRobots(bytes).forbiddenBy(path);
        expect([null, 'named', 'everyone']).toContain(group);
      }),
    );
  });

  it.each<[string, number | null]>([
    ['User-agent: *\nCrawl-delay: 5\n', 5],
    ['User-agent: *\nCrawl-delay: 0.5\n', 0.5],
    ['User-agent: *\nCrawl-delay: 5\nCrawl-delay:\n', 5],
    ['User-agent: *\nCrawl-delay: 5\nUser-agent: Loopscout\nCrawl-delay: 2\n', 2],
    ['User-agent: Otherbot\nCrawl-delay: 5\n', null],
    ['User-agent: Loopscout\nCrawl-delay: 5\nUser-agent: *\nDisallow: /\n', 5],
    ['User-agent: Otherbot\nCrawl-delay: 5\nUser-agent: Loopscout\nDisallow: /\n', null],
    ['User-agent: *\nCrawl-delay: soon\n', null],
    ['User-agent: *\nCrawl-delay: -1\n', null],
    ['User-agent: *\nDisallow:\n', null],
  ])('reads the delay from %j', (text, seconds) => {
    expect(parseRobots(Buffer.from(text)).crawlDelaySeconds).toBe(seconds);
  });

  it.each([
    ['Sitemap: https://loops.example/sitemap.xml'],
    ['Crawl-delay: 1'],
    ['Host: loops.example'],
    ['Clean-param: ref /'],
    ['X-Unknown: yes'],
    ['words without a colon'],
    [': no name'],
    ['# Disallow: /'],
    [''],
  ])('does not end a run of user-agent lines at the line %j', (line) => {
    for (const names of [
      ['Loopscout', '*'],
      ['*', 'Loopscout'],
      ['Loopscout', 'Otherbot'],
    ]) {
      const text = `User-agent: ${names[0]}\n${line}\n${line}\nUser-agent: ${names[1]}\n${line}\nDisallow: /\n`;
      expect(forbiddenBy(text)).toEqual(['named', 'named']);
    }
  });

  it.each(['Allow: /x', 'Disallow: /x', 'Disallow:', 'Dissallow: /x', 'Disallow /x'])(
    'ends a run of user-agent lines at the line %j',
    (line) => {
      const text = `User-agent: Loopscout\n${line}\nUser-agent: Otherbot\nDisallow: /\n`;
      expect(forbiddenBy(text)).toEqual([null, null]);
    },
  );

  it.each([
    'Loopscout/0.2.0',
    'Loopscout 0.2.0',
    'LOOPSCOUT (+https://directory.example/about)',
    'Loopscout\t',
    'loopscout; the directory',
    'Loopscout, Otherbot',
    'Loopscout*',
  ])('reads the token Loopscout from the user-agent line %j', (name) => {
    expect(forbiddenBy(`User-agent: ${name}\nDisallow: /\n`)).toEqual(['named', 'named']);
  });

  it.each(['Loop', 'Loopscout-images', 'Loopscout_2', 'Other Loopscout', '"Loopscout"', '', '*Loopscout'])(
    'does not read the token Loopscout from the user-agent line %j',
    (name) => {
      expect(forbiddenBy(`User-agent: ${name}\nDisallow: /\n`)).toEqual([null, null]);
    },
  );

  it('gives no meaning to the number and the length of rules', () => {
    const start = 'User-agent: Loopscout\nDisallow: /api/\nCrawl-delay: 3\n';
    const long = `Disallow: /${'x'.repeat(70_000)}\n`;
    const end = 'Allow: /api/v1/config\n';
    for (const middle of ['Disallow: /x\n'.repeat(30_000), long, long.repeat(6), 'Allow: /*a*b*c$\n'.repeat(20_000)]) {
      const { forbiddenBy, crawlDelaySeconds } = parseRobots(Buffer.from(start + middle + end));
      expect([forbiddenBy(config), forbiddenBy('/api/v1/x'), forbiddenBy(discovery)]).toEqual([null, 'named', null]);
      expect(crawlDelaySeconds).toBe(3);
      const others = `User-agent: Otherbot\n${middle}User-agent: Loopscout\n${end}Disallow: /\n`;
      expect(parseRobots(Buffer.from(others)).forbiddenBy(discovery)).toBe('named');
    }
  });

  it('forbids nothing on a site without the file', () => {
    expect(NO_RULES.forbiddenBy(config)).toBeNull();
  });
});

it('a truncated robots.txt without its last line gives the same rules', () => {
  const start = 'User-agent: *\nDisallow: /private/\n# ';
  const body = Buffer.from(`${start}${'x'.repeat(ROBOTS_MAX_BYTES - start.length - 12)}\nDisallow: /`);
  expect(body.length).toBe(ROBOTS_MAX_BYTES);
  const complete = withoutPartialLine(body);
  expect(Buffer.from(complete).toString().slice(-2)).toBe('x\n');
  for (const target of ['/', '/private/x'])
    expect(parseRobots(complete).forbiddenBy(target)).toBe(parseRobots(body).forbiddenBy(target));
  expect(withoutPartialLine(complete)).toBe(complete);
});
