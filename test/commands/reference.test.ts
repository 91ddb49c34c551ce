import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('reference exits with code 2 and prints one sentence per problem if', () => {
  const invalid = { seed: -1, config: { app: { nmae: 'x' } }, faults: [{ route: 'x', fault: 'close' }] };
  test.for<[string, () => string[], string[]]>([
    ['the port is invalid', () => ['--port', '70000'], ['--port is 70000; allowed: a whole number from 0 to 65535']],
    ['the profile is unknown', () => ['--profile', 'wild'], ['--profile is wild; allowed: spec or live']],
    ['the seed is not a number', () => ['--seed', 'x'], ['--seed is x; allowed: a whole number']],
    ['the address is not a local one', () => ['--host', '192.0.2.1'], ['set --host to one']],
    [
      'the database is not a database',
      () => ['--database', file('x.db', 'text'.repeat(200))],
      ['x.db cannot be used: file is not a database'],
    ],
    [
      'the options file is missing',
      () => ['--options', join(folder, 'none.json')],
      ['none.json: it cannot be read (ENOENT)'],
    ],
    ['the options are not JSON', () => ['--options', file('half.json', '{')], ['half.json: it is not JSON']],
    [
      'the options are invalid',
      () => ['--options', file('wrong.json', invalid)],
      [
        'wrong.json: config.app.nmae is not a known key; allowed: name, url, description, software, version',
        'wrong.json: faults[0].route is "x"; must be "*", or a path',
        'wrong.json: seed is -1; Too small: expected number to be >=0',
      ],
    ],
    [
      'the options add a video by an unknown account',
      () => ['--options', file('nobody.json', { videos: [{ by: 'nobody' }] })],
      ['nobody'],
    ],
    ['a fleet has no hosts', () => ['--fleet', '0'], ['--fleet is 0; allowed: a whole number from 1 to 100000']],
    ['a fleet file is missing', () => ['--fleet', join(folder, 'none.json')], ['none.json: it cannot be read']],
    [
      'a fleet file is invalid',
      () => ['--fleet', file('lops.json', { hosts: [{ kind: 'lops' }] })],
      ['lops.json: hosts[0].kind is "lops"; there is no such kind; similar kinds: loops, '],
    ],
    [
      'several flags are invalid',
      () => ['--port', 'abc', '--seed', 'x', '--profile', 'y'],
      ['--port is abc; allowed: a whole', '--seed is x; allowed: a whole number', '--profile is y; allowed: spec or'],
    ],
    [
      'flags and options are invalid',
      () => [
        '--port',
        'abc',
        '--options',
        file('both.json', { ...invalid, videos: [{ by: 'nobody' }, { by: 'nil' }] }),
      ],
      [
        '--port is abc; ',
        'both.json: config.app.nmae is not a known key; ',
        'both.json: faults[0].route is "x"; ',
        'both.json: seed is -1; ',
        'both.json: videos[0].by is "nobody"; allowed: ada, noor, mei_lin, sam.2, rune@clips.example, or the username of an account',
        'both.json: videos[1].by is "nil"; ',
      ],
    ],
    [
      'flags and the file of a fleet are invalid',
      () => [
        '--fleet',
        file('rows.json', { hosts: [{ kind: 'lops' }, { zz: 1 }] }),
        '--seed',
        'x',
        '--tls',
        '--host',
        'a',
      ],
      [
        '--seed is x; ',
        'rows.json: hosts[1].zz is not a known key; ',
        'rows.json: hosts[0].kind is "lops"; there is no such kind',
        '--host cannot be combined with --fleet',
        '--tls cannot be combined with --fleet',
      ],
    ],
    [
      'videos name accounts missing from the database',
      () => [
        ...['--database', join(folder, 'authors.sqlite'), '--port', '0'],
        ...[
          '--options',
          file('authors.json', { videos: [{ by: 'nobody' }, { by: 'ada', liked_by: ['nil', 'noor'] }] }),
        ],
      ],
      ['authors.json: videos[0].by is "nobody"; allowed: ada', 'authors.json: videos[1].liked_by[0] is "nil"; '],
    ],
    ['the control port is invalid', () => ['--control', 'x'], ['--control is x; allowed: a whole number']],
    ['a flag does not apply to fleets', () => ['--fleet', '3', '--tls'], ['--tls cannot be combined with --fleet']],
  ])('%s', async ([_when, args, sentences]) => {
    const { code, stdout, stderr } = await runCommand(['reference', ...args()], folder);
    expect([code, stdout]).toEqual([2, '']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(sentences.length);
    for (const sentence of sentences) expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('bug');
  });
});
