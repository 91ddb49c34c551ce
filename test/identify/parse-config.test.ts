import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig, type ServerConfig } from '../../src/identify/documents.ts';
import { fixture, fixtureNames } from './fixture.ts';
import { type FieldKind, replaced, wrongValues } from './wrong-values.ts';

function parsed(document: Readonly<Record<string, unknown>>): ServerConfig {
  const config = parseConfig(document);
  if (config === null) throw new Error('It names no software.');
  return config;
}

/** Every field of the specification but `app.software`: its path, what it should be, and where it goes. */
const fields: [path: string, kind: FieldKind, read: (config: ServerConfig) => unknown][] = [
  ['app.name', 'string', ({ name }) => name],
  ['app.url', 'string', ({ appUrl }) => appUrl],
  ['app.description', 'string', ({ description }) => description],
  ['app.version', 'string', ({ version }) => version],
  ['media.max_video_size', 'count', ({ limits }) => limits.maxVideoSizeMB],
  ['media.max_video_duration', 'count', ({ limits }) => limits.maxVideoDurationSeconds],
  ['media.allowed_video_formats', 'list', ({ limits }) => limits.videoFormats],
  ['fyf', 'boolean', ({ features }) => features.forYouFeed],
  ['registration', 'boolean', ({ registration }) => registration.open],
  ['registration_mode', 'string', ({ registration }) => registration.mode],
  ['federation', 'boolean', ({ federation }) => federation],
  ['pushNotifications', 'boolean', ({ features }) => features.pushNotifications],
  ['starterKits', 'boolean', ({ features }) => features.starterKits],
  ['atomFeeds', 'boolean', ({ features }) => features.atomFeeds],
  ['hasGifProvider', 'boolean', ({ features }) => features.gifProvider],
  ['account.max_bio_length', 'count', ({ limits }) => limits.maxBioLength],
];

/** What lies in an object, and goes with it when that is no object. */
const parents = ['media', 'account'];

const values = (config: ServerConfig) => fields.map(([path, , read]) => [path, read(config)]);
const whole = fixture('config-whole');

describe('parseConfig', () => {
  it('reads every field of a whole document', () => {
    expect(parseConfig(whole)).toEqual({
      softwareId: 'loops',
      software: 'loops',
      appUrl: 'https://server.example',
      name: 'Clips',
      description: 'Short videos.',
      version: '1.0.0-beta.14',
      registration: { open: false, mode: 'curated' },
      federation: true,
      features: { forYouFeed: true, pushNotifications: false, starterKits: true, atomFeeds: false, gifProvider: true },
      gifProviderBrand: null,
      limits: { maxVideoSizeMB: 40, maxVideoDurationSeconds: 180, videoFormats: ['mp4', 'webm'], maxBioLength: 500 },
      usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null },
      notes: [],
    });
  });

  it('knows nothing, and no 0 and no false, of what a document leaves out', () => {
    const config = parsed(fixture('config-only-software'));
    expect(values(config)).toEqual(fields.map(([path]) => [path, null]));
    expect(config).toMatchObject({ gifProviderBrand: null, notes: [] });
  });

  it('reads beta.6, which sends a few keys only', () => {
    const config = parsed(fixture('config-beta-6'));
    expect(config.features).toEqual({
      forYouFeed: true,
      pushNotifications: null,
      starterKits: null,
      atomFeeds: null,
      gifProvider: null,
    });
    expect(config.registration).toEqual({ open: false, mode: null });
  });

  it('takes modes and keys that nobody knows yet', () => {
    const config = parsed(fixture('config-later-keys'));
    expect(config.registration.mode).toBe('invitation');
    expect(config.notes).toEqual([]);
  });

  it.each(
    fixtureNames('config-').filter((name) =>
      /app-(?:string|list|null)|software-(?:list|null|at-top)|peertube|empty/.test(name),
    ),
  )('%s names no software', (name) => {
    expect(parseConfig(fixture(name))).toBeNull();
  });

  it.each([
    ['config-loops-capital', 'Loops'],
    ['config-loops-relay', 'loops-relay'],
    ['config-loops-trailing-space', 'loops '],
    ['config-of-another-software', 'reels'],
  ])('keeps the name in %s exactly as it was sent', (name, softwareId) => {
    expect(parsed(fixture(name))).toMatchObject({ softwareId, software: softwareId });
  });

  it('cuts what is shown of a software name, never what is compared', () => {
    const long = 'x'.repeat(300);
    expect(parsed({ app: { software: long } })).toMatchObject({ softwareId: long, software: 'x'.repeat(100) });
    expect(parsed({ app: { software: 'loops\u202e' } })).toMatchObject({
      softwareId: 'loops\u202e',
      software: 'loops\ufffd',
    });
  });
});

describe('a field of the wrong type', () => {
  const cases = fields.flatMap(([path, kind]) => wrongValues(kind).map((wrong) => ({ path, wrong })));

  it.each(cases)('$path as $wrong is unknown, noted, and costs nothing else', ({ path, wrong }) => {
    const config = parsed(replaced(whole, path, wrong));
    expect(config.softwareId).toBe('loops');
    expect(values(config)).toEqual(
      values(parsed(whole)).map(([other, value]) => [other, other === path ? null : value]),
    );
    expect(config.notes.map(({ field }) => field)).toEqual([path]);
    expect(config.notes[0]?.problem).toMatch(/^expected .+, found .+$/);
  });

  it.each(fields)('%s as null is unknown without a note', (path) => {
    const config = parsed(replaced(whole, path, null));
    expect(values(config)).toEqual(
      values(parsed(whole)).map(([other, value]) => [other, other === path ? null : value]),
    );
    expect(config.notes).toEqual([]);
  });

  it.each(parents.flatMap((parent) => wrongValues('object').map((wrong) => ({ parent, wrong }))))(
    '$parent as $wrong takes what lies in it along, with one note, and nothing else',
    ({ parent, wrong }) => {
      const config = parsed(replaced(whole, parent, wrong));
      const isInside = (path: unknown) => String(path).startsWith(`${parent}.`);
      expect(values(config)).toEqual(
        values(parsed(whole)).map(([path, value]) => [path, isInside(path) ? null : value]),
      );
      expect(config.notes).toEqual([{ field: parent, problem: expect.stringMatching(/^expected an object, found /) }]);
    },
  );

  it('is one of many in a document that has nothing right but the software', () => {
    const config = parsed(fixture('config-wrong-types'));
    expect(values(config)).toEqual(fields.map(([path]) => [path, null]));
    const nulls = ['app.url', 'pushNotifications'];
    const expected = fields
      .map(([path]) => (path.startsWith('account.') ? 'account' : path))
      .filter((path) => !nulls.includes(path));
    expect(config.notes.map(({ field }) => field).sort()).toEqual(expected.sort());
  });

  it('never costs another field, whatever stands there', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue(), ([path, , read], value) => {
        const config = parsed(replaced(whole, path, value));
        expect(config.softwareId).toBe('loops');
        const isRead = read(config) !== null;
        expect(config.notes.length).toBe(isRead || value === null ? 0 : 1);
        expect(values(config).filter(([other]) => other !== path)).toEqual(
          values(parsed(whole)).filter(([other]) => other !== path),
        );
      }),
    );
  });

  it('says in its note what was there, cut to a few words', () => {
    const [note] = parsed(replaced(whole, 'fyf', `yes\u202e${'s'.repeat(1_000)}`)).notes;
    expect(note?.problem).toMatch(/^expected true or false, found the string "yes\ufffds+$/);
    expect(note?.problem.length).toBeLessThan(100);
    expect(parsed(replaced(whole, 'account.max_bio_length', Number.POSITIVE_INFINITY)).notes[0]?.problem).toBe(
      'expected a whole number, found the number Infinity',
    );
  });
});

describe('the GIF switch', () => {
  const without = { app: whole.app };

  it.each([
    ['the neutral name', { hasGifProvider: true }, true, null],
    ['the neutral name, off', { hasGifProvider: false }, false, null],
    ['the live name', { hasKlipy: true }, true, 'klipy'],
    ['the live name, off', { hasKlipy: false }, false, 'klipy'],
    ['both, of which the neutral one counts', { hasGifProvider: false, hasKlipy: true }, false, null],
    ['neither', {}, null, null],
    ['the neutral name as null and the live one', { hasGifProvider: null, hasKlipy: true }, true, 'klipy'],
  ])('under %s', (_what, switches, isOn, brand) => {
    const config = parsed({ ...without, ...switches });
    expect([config.features.gifProvider, config.gifProviderBrand, config.notes]).toEqual([isOn, brand, []]);
  });

  it('is read under its live name when the neutral one is of the wrong type, which is noted', () => {
    const config = parsed({ ...without, hasGifProvider: 'on', hasKlipy: true });
    expect([config.features.gifProvider, config.gifProviderBrand]).toEqual([true, 'klipy']);
    expect(config.notes.map(({ field }) => field)).toEqual(['hasGifProvider']);
  });

  it('is read in a document as live servers send it', () => {
    expect(parsed(fixture('config-klipy'))).toMatchObject({
      features: { gifProvider: true },
      gifProviderBrand: 'klipy',
    });
  });
});

describe('lists and lengths', () => {
  it('takes 64 formats and no more, and an empty list for what it is', () => {
    const formats = (count: number) =>
      parsed(
        replaced(
          whole,
          'media.allowed_video_formats',
          Array.from({ length: count }, () => 'mp4'),
        ),
      ).limits.videoFormats;
    expect(formats(0)).toEqual([]);
    expect(formats(64)).toHaveLength(64);
    expect(formats(65)).toBeNull();
  });

  it('cuts every text', () => {
    const long = 'x'.repeat(100_000);
    const { name, url, description, version } = { name: long, url: long, description: long, version: long };
    const config = parsed({ app: { software: 'loops', name, url, description, version }, registration_mode: long });
    expect(config.name).toHaveLength(200);
    expect(config.description).toHaveLength(2_000);
    expect(config.version).toHaveLength(100);
    expect(config.appUrl).toHaveLength(500);
    expect(config.registration.mode).toHaveLength(50);
  });
});

it('does not reach what objects inherit', () => {
  expect(parseConfig(JSON.parse('{"__proto__":{"app":{"software":"loops"}}}'))).toBeNull();
  expect(parsed(JSON.parse('{"app":{"software":"loops","__proto__":{"name":"x"}}}')).name).toBeNull();
});
