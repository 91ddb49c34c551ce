import { describe, expect, it } from 'vitest';
import { parseRobots } from '../../src/http/robots.ts';

// The expectations that Google publishes with its parser (github.com/google/robotstxt, robots_test.cc), in our own arrangement. The names in
// capitals are those of its tests. Not here: expectations about functions that have no counterpart, such as the path of a URL without a scheme.

interface Expectations {
  file: string | Buffer;
  /** Default: `FooBot`. */
  agent?: string;
  allowed?: readonly string[];
  forbidden?: readonly string[];
}

/** A group of rules for FooBot. */
const group = (...rules: readonly string[]): string => ['User-agent: FooBot', ...rules, ''].join('\n');
const AGREED: Record<string, Expectations[]> = {
  'SystemTest: no file allows everything, and a group is for the robots that it names': [
    { file: '', allowed: ['/'] },
    { file: '', agent: '', allowed: ['/'] },
    { file: group('disallow: /'), forbidden: ['/'] },
    { file: group('disallow: /'), agent: '', allowed: ['/'] },
  ],
  'LineSyntax_Line: unknown names have no effect, and two words are read without a colon': [
    { file: group('disallow: /'), forbidden: ['/x/y'] },
    { file: 'foo: FooBot\nbar: /\n', allowed: ['/x/y'] },
    { file: 'user-agent FooBot\ndisallow /\n', forbidden: ['/x/y'] },
  ],
  'LineSyntax_Groups: groups of a robot are merged, empty lines end none, and rules before the first apply to nobody': (
    [
      ['FooBot', ['/x/b', '/z/d'], ['/y/c', '/foo/bar/']],
      ['BarBot', ['/y/c', '/w/a'], ['/z/d', '/foo/bar/']],
      ['BazBot', ['/z/d'], ['/foo/bar/']],
    ] as const
  ).map(([agent, allowed, forbidden]) => ({
    file: `allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
`,
    agent,
    allowed,
    forbidden,
  })),
  'LineSyntax_Groups_OtherRules: a line of another kind does not end a run of user-agent lines': [
    'Sitemap: https://foo.bar/sitemap',
    'Invalid-Unknown-Line: unknown',
  ].flatMap((line) =>
    ['FooBot', 'BarBot'].map((agent) => ({
      file: `User-agent: BarBot\n${line}\nUser-agent: *\nDisallow: /\n`,
      agent,
      forbidden: ['/'],
    })),
  ),
  'REPLineNamesCaseInsensitive: the case of names has no meaning': [
    ['USER-AGENT', 'ALLOW', 'DISALLOW'],
    ['user-agent', 'allow', 'disallow'],
    ['uSeR-aGeNt', 'AlLoW', 'dIsAlLoW'],
  ].map(([agent, allow, disallow]) => ({
    file: `${agent}: FooBot\n${allow}: /x/\n${disallow}: /\n`,
    allowed: ['/x/y'],
    forbidden: ['/a/b'],
  })),
  'UserAgentValueCaseInsensitive: nor has the case of robots': ['FOO BAR', 'foo bar', 'FoO bAr'].flatMap((name) =>
    ['Foo', 'foo'].map((agent) => ({
      file: `User-Agent: ${name}\nAllow: /x/\nDisallow: /\n`,
      agent,
      allowed: ['/x/y'],
      forbidden: ['/a/b'],
    })),
  ),
  'AcceptUserAgentUpToFirstSpace: a product token ends at a space': (
    [
      ['Foo', ['/x/y'], []],
      ['Foo Bar', [], ['/x/y']],
    ] as const
  ).map(([agent, allowed, forbidden]) => ({
    file: 'User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n',
    agent,
    allowed,
    forbidden,
  })),
  'GlobalGroups_Secondary: the group of everyone is for those whom no group names': [
    { file: '', allowed: ['/x/y'] },
    { file: `user-agent: *\nallow: /\n${group('disallow: /')}`, forbidden: ['/x/y'] },
    { file: `user-agent: *\nallow: /\n${group('disallow: /')}`, agent: 'BarBot', allowed: ['/x/y'] },
    {
      file: `${group('allow: /')}user-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n`,
      agent: 'QuxBot',
      allowed: ['/x/y'],
    },
  ],
  'AllowDisallow_Value_CaseSensitive: the case of paths has a meaning': [
    { file: group('disallow: /x/'), forbidden: ['/x/y'] },
    { file: group('disallow: /X/'), allowed: ['/x/y'] },
  ],
  'LongestMatch: the longest rule that matches decides, and allow if there are two': [
    { file: group('disallow: /x/page.html', 'allow: /x/'), forbidden: ['/x/page.html'] },
    { file: group('allow: /x/page.html', 'disallow: /x/'), allowed: ['/x/page.html'], forbidden: ['/x/'] },
    { file: group('disallow: ', 'allow: '), allowed: ['/x/page.html'] },
    { file: group('disallow: /', 'allow: /'), allowed: ['/x/page.html'] },
    { file: group('disallow: /x', 'allow: /x/'), allowed: ['/x/'], forbidden: ['/x'] },
    { file: group('disallow: /x/page.html', 'allow: /x/page.html'), allowed: ['/x/page.html'] },
    { file: group('allow: /page', 'disallow: /*.html'), allowed: ['/page'], forbidden: ['/page.html'] },
    { file: group('allow: /x/page.', 'disallow: /*.html'), allowed: ['/x/page.html'], forbidden: ['/x/y.html'] },
    { file: `User-agent: *\nDisallow: /x/\n${group('Disallow: /y/')}`, allowed: ['/x/page'], forbidden: ['/y/page'] },
  ],
  'Encoding: reserved characters stay, and others equal their escapes': [
    {
      file: group('Disallow: /', 'Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par'),
      allowed: ['/foo/bar?qux=taz&baz=http://foo.bar?tar&par'],
    },
    { file: group('Disallow: /', 'Allow: /foo/bar/\u30c4'), allowed: ['/foo/bar/%E3%83%84'] },
    { file: group('Disallow: /', 'Allow: /foo/bar/%E3%83%84'), allowed: ['/foo/bar/%E3%83%84'] },
    { file: group('Disallow: /', 'Allow: /foo/bar/%62%61%7A'), allowed: ['/foo/bar/%62%61%7A'] },
  ],
  'MaybeEscapePattern: the case of hexadecimal digits has no meaning': [
    {
      file: group('Disallow: /a/b/c', 'Disallow: /\u00e1', 'Disallow: /%aa'),
      forbidden: ['/a/b/c', '/%C3%A1', '/%AA'],
    },
  ],
  'SpecialCharacters: the signs for a comment, for the end and for any characters': [
    {
      file: group('Disallow: /foo/bar/quz', 'Allow: /foo/*/qux'),
      allowed: ['/foo/quz', '/foo//quz', '/foo/bax/quz'],
      forbidden: ['/foo/bar/quz'],
    },
    {
      file: group('Disallow: /foo/bar$', 'Allow: /foo/bar/qux'),
      allowed: ['/foo/bar/qux', '/foo/bar/', '/foo/bar/baz'],
      forbidden: ['/foo/bar'],
    },
    {
      file: group('# Disallow: /', 'Disallow: /foo/quz#qux', 'Allow: /'),
      allowed: ['/foo/bar'],
      forbidden: ['/foo/quz'],
    },
  ],
  'IndexHTMLisDirectory: index.html matches itself': [
    {
      file: 'User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n',
      agent: 'foobot',
      allowed: ['/allowed-slash/index.html'],
      forbidden: ['/allowed-slash/index.htm', '/anyother-url'],
    },
  ],
  'LineTooLong: a long rule matches what begins with it': [
    { file: group(`disallow: /x/${'a'.repeat(16_649)}/qux`), allowed: ['/fux'] },
    {
      file: group('disallow: /', ...['a', 'b'].map((letter) => `allow: /x/${letter.repeat(16_652)}/qux`)),
      allowed: [`/x/${'a'.repeat(16_652)}/qux`],
      forbidden: ['/'],
    },
  ],
  'DocumentationChecks: examples of Google Search Central': [
    ...['/fish', '/fish*'].map((rule) => ({
      file: group('disallow: /', `allow: ${rule}`),
      allowed: [
        '/fish',
        '/fish.html',
        '/fish/salmon.html',
        '/fishheads',
        '/fishheads/yummy.html',
        '/fish.html?id=anything',
      ],
      forbidden: ['/bar', '/Fish.asp', '/Fish.bar', '/catfish', '/?id=fish'],
    })),
    {
      file: group('disallow: /', 'allow: /fish/'),
      allowed: ['/fish/', '/fish/salmon', '/fish/?salmon', '/fish/salmon.html', '/fish/?id=anything'],
      forbidden: ['/bar', '/fish', '/fish.html', '/Fish/Salmon.html'],
    },
    {
      file: group('disallow: /', 'allow: /*.php'),
      allowed: [
        '/filename.php',
        '/folder/filename.php',
        '/folder/filename.php?parameters',
        '//folder/any.php.file.html',
        '/filename.php/',
        '/index?f=filename.php/',
      ],
      forbidden: ['/bar', '/php/', '/index?php', '/windows.PHP'],
    },
    {
      file: group('disallow: /', 'allow: /*.php$'),
      allowed: ['/filename.php', '/folder/filename.php'],
      forbidden: [
        '/bar',
        '/filename.php?parameters',
        '/filename.php/',
        '/filename.php5',
        '/php/',
        '/filename?php',
        '/aaaphpaaa',
        '//windows.PHP',
      ],
    },
    {
      file: group('disallow: /', 'allow: /fish*.php'),
      allowed: ['/fish.php', '/fishheads/catfish.php?parameters'],
      forbidden: ['/bar', '/Fish.PHP'],
    },
    { file: group('allow: /p', 'disallow: /'), allowed: ['/page'] },
    { file: group('allow: /folder', 'disallow: /folder'), allowed: ['/folder/page'] },
    { file: group('allow: /page', 'disallow: /*.htm'), forbidden: ['/page.htm'] },
    { file: group('allow: /$', 'disallow: /'), allowed: ['/'], forbidden: ['/page.html'] },
  ],
  'LinesNumbersAreCountedCorrectly: lines end with LF, CR LF or CR, and the last one with the file': [
    'User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n',
    'User-Agent: foo\r\nAllow: /some/path\r\nUser-Agent: bar\r\n\r\n\r\nDisallow: /\r\n',
    'User-Agent: foo\rAllow: /some/path\rUser-Agent: bar\r\r\rDisallow: /\r',
    'User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /',
    'User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /',
  ].flatMap((file) => [
    { file, agent: 'foo', allowed: ['/', '/some/path'] },
    { file, agent: 'bar', forbidden: ['/', '/some/path'] },
  ]),
  'UTF8ByteOrderMarkIsSkipped: at the beginning of the file, even in part': [
    ...['\xef\xbb\xbf', '\xef\xbb', '\xef'].map((mark) => ({
      file: Buffer.from(`${mark}User-Agent: foo\nDisallow: /AnyValue\n`, 'latin1'),
      agent: 'foo',
      forbidden: ['/AnyValue'],
    })),
    {
      file: Buffer.from('\xef\x11\xbfUser-Agent: foo\nDisallow: /AnyValue\n', 'latin1'),
      agent: 'foo',
      allowed: ['/AnyValue'],
    },
    {
      file: Buffer.from('User-Agent: foo\n\xef\xbb\xbfDisallow: /AnyValue\n', 'latin1'),
      agent: 'foo',
      allowed: ['/AnyValue'],
    },
  ],
  'NonStandardLineExample_Sitemap: a sitemap line has no effect, wherever it stands': [
    'Sitemap: http://foo.bar/sitemap.xml\nUser-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\n',
    'User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nSitemap: http://foo.bar/sitemap.xml\n',
  ].flatMap((file) => ['foo', 'bar'].map((agent) => ({ file, agent, allowed: ['/', '/some/path'] }))),
};

/** Where Google's parser expects the opposite. */
const DIFFERENT: [why: string, google: 'allowed' | 'forbidden', file: string, agent: string, target: string][] = [
  [
    'Encoding: a target outside ASCII equals its escape; Google leaves the escaping of URLs to the caller',
    'forbidden',
    group('Disallow: /', 'Allow: /foo/bar/\u30c4'),
    'FooBot',
    '/foo/bar/\u30c4',
  ],
  [
    'Encoding: so it does if the rule has the escape',
    'forbidden',
    group('Disallow: /', 'Allow: /foo/bar/%E3%83%84'),
    'FooBot',
    '/foo/bar/\u30c4',
  ],
  [
    'Encoding: an escape of an unreserved character equals the character (RFC 9309 section 2.2.2); Google compares the text',
    'forbidden',
    group('Disallow: /', 'Allow: /foo/bar/%62%61%7A'),
    'FooBot',
    '/foo/bar/baz',
  ],
  [
    'IndexHTMLisDirectory: index.html does not stand for its directory, which no standard says',
    'allowed',
    'User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n',
    'foobot',
    '/allowed-slash/',
  ],
  [
    'LineTooLong: a rule is never cut, since a shorter one forbids more; Google cuts lines at 16,664 bytes',
    'forbidden',
    group(`disallow: /x/${'a'.repeat(16_649)}/qux`),
    'FooBot',
    `/x/${'a'.repeat(16_649)}/fux`,
  ],
  [
    'LineTooLong: nor one that allows',
    'allowed',
    group('disallow: /', `allow: /x/${'b'.repeat(16_652)}/qux`),
    'FooBot',
    `/x/${'b'.repeat(16_652)}/fux`,
  ],
];

const isAllowed = (file: string | Buffer, agent: string, target: string) =>
  parseRobots(Buffer.from(file), agent).forbiddenBy(target) === null;

describe("robots.txt is read as Google's parser reads it:", () => {
  it.each(Object.entries(AGREED))('%s', (_claim, expectations) => {
    for (const { file, agent = 'FooBot', allowed = [], forbidden = [] } of expectations) {
      const targets = [...allowed, ...forbidden];
      expect(targets.filter((target) => isAllowed(file, agent, target))).toEqual(allowed);
    }
  });
});

describe('robots.txt is read in another way where Google deviates from RFC 9309 or adds to it:', () => {
  it.each(DIFFERENT)('%s', (_why, google, file, agent, target) => {
    expect(isAllowed(file, agent, target)).toBe(google !== 'allowed');
  });
});
