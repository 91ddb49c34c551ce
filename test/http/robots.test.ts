import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_RULES, parseRobots } from '../../src/http/robots.ts';

const robotsUrl = new URL('https://server.example:8443/robots.txt');
const config = new URL('/api/v1/config', robotsUrl);
const discovery = new URL('/.well-known/nodeinfo', robotsUrl);

function verdicts(text: string): [config: string | null, discovery: string | null] {
  const rules = parseRobots(robotsUrl, Buffer.from(text));
  return [rules(config), rules(discovery)];
}

describe('parseRobots', () => {
  it.each<[string, string, [string | null, string | null]]>([
    ['an empty file forbids nothing', '', [null, null]],
    ['a web page forbids nothing', '<!doctype html><title>Loops</title>', [null, null]],
    ['a group for everyone', 'User-agent: *\nDisallow: /\n', ['everyone', 'everyone']],
    ['a group for another robot is not for us', 'User-agent: Otherbot\nDisallow: /\n', [null, null]],
    ['a group that names us', 'User-agent: Loopscout\nDisallow: /\n', ['ours', 'ours']],
    ['a group that names us in small letters', 'user-agent: loopscout\ndisallow: /\n', ['ours', 'ours']],
    ['a group that names us with a version', 'User-agent: Loopscout/1.0\nDisallow: /api/\n', ['ours', null]],
    ['a group that names us with a comment', 'User-agent: Loopscout # please\nDisallow: /api/\n', ['ours', null]],
    [
      'a group that names us replaces the one for everyone',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nDisallow: /api/\n',
      ['ours', null],
    ],
    [
      'a group that names us and allows all',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nAllow: /\n',
      [null, null],
    ],
    [
      'a group that names us and disallows nothing',
      'User-agent: *\nDisallow: /\n\nUser-agent: Loopscout\nDisallow:\n',
      [null, null],
    ],
    [
      'a group that names us among others',
      'User-agent: Otherbot\nUser-agent: Loopscout\nDisallow: /api/\n',
      ['ours', null],
    ],
    [
      'two groups that name us are one',
      'User-agent: Loopscout\nDisallow: /api/\n\nUser-agent: Loopscout\nDisallow: /.well-known/\n',
      ['ours', 'ours'],
    ],
    [
      'a name that only begins with ours is not ours',
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
      'wildcards and the end of a path',
      'User-agent: *\nDisallow: /*/config$\nDisallow: /.well-known/$\n',
      ['everyone', null],
    ],
    ['a byte order mark is passed over', '\uFEFFUser-agent: Loopscout\nDisallow: /\n', ['ours', 'ours']],
    ['lines that end with CRLF', 'User-agent: Loopscout\r\nDisallow: /api/\r\n', ['ours', null]],
    ['lines that end with CR', 'User-agent: *\rDisallow: /api/\r', ['everyone', null]],
    ['white space around everything', '  User-agent :  Loopscout  \n\t Disallow :  /api/ \n', ['ours', null]],
    ['percent-encoding in any case', 'User-agent: *\nDisallow: /%2ewell-known\nDisallow: /api/\n', ['everyone', null]],
  ])('%s', (_claim, text, expected) => {
    expect(verdicts(text)).toEqual(expected);
  });

  it('reads the file that live Loops servers ship as forbidding config and allowing NodeInfo', () => {
    const stock =
      'User-agent: *\nAllow: /\nAllow: /.well-known/nodeinfo\nAllow: /nodeinfo/2.0\nDisallow: /api/\nAllow: /api/v1/video/\n';
    expect(verdicts(stock)).toEqual(['everyone', null]);
  });

  it.each(['//nodeinfo/2.0', '//', '//[', '///x', '/\\\\evil.example/', '/?x=//y'])(
    'judges the path %s as one of this host',
    (path) => {
      const rules = parseRobots(robotsUrl, Buffer.from('User-agent: *\nDisallow: /\n'));
      expect(rules(new URL(robotsUrl.origin + path))).toBe('everyone');
    },
  );

  it('judges the query too', () => {
    const rules = parseRobots(robotsUrl, Buffer.from('User-agent: *\nDisallow: /*?format=json\n'));
    expect(rules(new URL('/nodeinfo?format=json', robotsUrl))).toBe('everyone');
    expect(rules(new URL('/nodeinfo?format=xml', robotsUrl))).toBeNull();
  });

  it('never throws, whatever bytes and paths it is given', () => {
    const line = fc.tuple(
      fc.constantFrom('User-agent', 'Disallow', 'Allow', 'Sitemap', 'Crawl-delay', ''),
      fc.string(),
    );
    const text = fc
      .array(line.map(([name, value]) => `${name}: ${value}`))
      .map((lines) => Buffer.from(lines.join('\n')));
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array()), fc.webPath(), (bytes, path) => {
        const by = parseRobots(robotsUrl, bytes)(new URL(robotsUrl.origin + path));
        expect([null, 'ours', 'everyone']).toContain(by);
      }),
    );
  });

  it('has no rules for a site without the file', () => {
    expect(NO_RULES(config)).toBeNull();
  });
});
