import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig, type ServerConfig } from '../../src/identify/documents.ts';
import { fixture, fixtureNames } from './fixture.ts';
import { type FieldKind, replaced, wrongValues } from './wrong-values.ts';

function parsed(document: Readonly<Record<string, unknown>>): ServerConfig {
  const config = parseConfig(document);
  if (config === null) throw new Error('The document names no software.');
  return config;
}

/** Every field of the specification but `app.software`: its path, its type, and the parsed value. */
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

/** Objects whose fields are all unknown when the object has the wrong type. */
const parents = ['media', 'account'];

const values = (config: ServerConfig) => fields.map(([path, , read]) => [path, read(config)]);
const complete = fixture('config-whole');

describe('parseConfig', () => {
  it('reads every field of a complete document', () => {
    expect(parseConfig(complete)).toEqual({
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

  it('reads absent fields as null, not as 0 or false', () => {
    const config = parsed(fixture('config-only-software'));
    expect(values(config)).toEqual(fields.map(([path]) => [path, null]));
    expect(config).toMatchObject({ gifProviderBrand: null, notes: [] });
  });

  it('reads the few keys that Loops 1.0.0-beta.6 sends', () => {
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

  it('accepts unknown registration modes and ignores unknown keys', () => {
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
  ])('keeps the software name in %s exactly as sent', (name, softwareId) => {
    expect(parsed(fixture(name))).toMatchObject({ softwareId, software: softwareId });
  });

  it('shortens and cleans the displayed software name, but not the compared one', () => {
    const long = 'x'.repeat(300);
    expect(parsed({ app: { software: long } })).toMatchObject({ softwareId: long, software: 'x'.repeat(100) });
    expect(parsed({ app: { software: 'loops\u202e' } })).toMatchObject({
      softwareId: 'loops\u202e',
      software: 'loops\ufffd',
    });
  });
});

describe('for a field of the wrong type, parseConfig', () => {
  const cases = fields.flatMap(([path, kind]) => wrongValues(kind).map((wrong) => ({ path, wrong })));

  it.each(cases)(
    'returns null and a note, and leaves every other field unchanged: $path as $wrong',
    ({ path, wrong }) => {
      const config = parsed(replaced(complete, path, wrong));
      expect(config.softwareId).toBe('loops');
      expect(values(config)).toEqual(
        values(parsed(complete)).map(([other, value]) => [other, other === path ? null : value]),
      );
      expect(config.notes.map(({ field }) => field)).toEqual([path]);
      expect(config.notes[0]?.problem).toMatch(/^expected .+, found .+$/);
    },
  );

  it.each(fields)('returns null without a note if the value is null: %s', (path) => {
    const config = parsed(replaced(complete, path, null));
    expect(values(config)).toEqual(
      values(parsed(complete)).map(([other, value]) => [other, other === path ? null : value]),
    );
    expect(config.notes).toEqual([]);
  });

  it.each(parents.flatMap((parent) => wrongValues('object').map((wrong) => ({ parent, wrong }))))(
    'returns null for the fields of an object of the wrong type, with one note: $parent as $wrong',
    ({ parent, wrong }) => {
      const config = parsed(replaced(complete, parent, wrong));
      const isInside = (path: unknown) => String(path).startsWith(`${parent}.`);
      expect(values(config)).toEqual(
        values(parsed(complete)).map(([path, value]) => [path, isInside(path) ? null : value]),
      );
      expect(config.notes).toEqual([{ field: parent, problem: expect.stringMatching(/^expected an object, found /) }]);
    },
  );

  it('adds a note for every field of a document in which only the software is valid', () => {
    const config = parsed(fixture('config-wrong-types'));
    expect(values(config)).toEqual(fields.map(([path]) => [path, null]));
    // These fields are null, which is not a wrong type.
    const nulls = ['app.url', 'pushNotifications'];
    const expected = fields
      .map(([path]) => (path.startsWith('account.') ? 'account' : path))
      .filter((path) => !nulls.includes(path));
    expect(config.notes.map(({ field }) => field).sort()).toEqual(expected.sort());
  });

  it('leaves every other field unchanged, whatever the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue(), ([path, kind, read], value) => {
        const config = parsed(replaced(complete, path, value));
        expect(config.softwareId).toBe('loops');
        const isRead = read(config) !== null;
        // An empty text is no value.
        const isNone = value === null || (kind === 'string' && typeof value === 'string' && value.trim() === '');
        expect(config.notes.length).toBe(isRead || isNone ? 0 : 1);
        expect(values(config).filter(([other]) => other !== path)).toEqual(
          values(parsed(complete)).filter(([other]) => other !== path),
        );
      }),
    );
  });

  it('adds a note with the expected type and the value, shortened and cleaned', () => {
    const [note] = parsed(replaced(complete, 'fyf', `yes\u202e${'s'.repeat(1_000)}`)).notes;
    expect(note?.problem).toMatch(/^expected true or false, found the string "yes\ufffds+$/);
    expect(note?.problem.length).toBeLessThan(100);
    expect(parsed(replaced(complete, 'account.max_bio_length', Number.POSITIVE_INFINITY)).notes[0]?.problem).toBe(
      'expected a whole number, found the number Infinity',
    );
  });
});

describe('the GIF provider', () => {
  const withoutGifKeys = { app: complete.app };

  it.each([
    ['the neutral name', { hasGifProvider: true }, true, null],
    ['the neutral name as false', { hasGifProvider: false }, false, null],
    ['the vendor name', { hasKlipy: true }, true, 'klipy'],
    ['the vendor name as false', { hasKlipy: false }, false, 'klipy'],
    ['both names, of which the neutral one counts', { hasGifProvider: false, hasKlipy: true }, false, null],
    ['neither name', {}, null, null],
    ['the vendor name while the neutral one is null', { hasGifProvider: null, hasKlipy: true }, true, 'klipy'],
  ])('is read under %s', (_what, fields, isOn, brand) => {
    const config = parsed({ ...withoutGifKeys, ...fields });
    expect([config.features.gifProvider, config.gifProviderBrand, config.notes]).toEqual([isOn, brand, []]);
  });

  it('is read under the vendor name, with a note, when the neutral one has the wrong type', () => {
    const config = parsed({ ...withoutGifKeys, hasGifProvider: 'on', hasKlipy: true });
    expect([config.features.gifProvider, config.gifProviderBrand]).toEqual([true, 'klipy']);
    expect(config.notes.map(({ field }) => field)).toEqual(['hasGifProvider']);
  });

  it('is read from the config of a live server', () => {
    expect(parsed(fixture('config-klipy'))).toMatchObject({
      features: { gifProvider: true },
      gifProviderBrand: 'klipy',
    });
  });
});

describe('parseConfig', () => {
  it('accepts at most 64 formats, and an empty list', () => {
    const formats = (count: number) =>
      parsed(
        replaced(
          complete,
          'media.allowed_video_formats',
          Array.from({ length: count }, () => 'mp4'),
        ),
      ).limits.videoFormats;
    expect(formats(0)).toEqual([]);
    expect(formats(64)).toHaveLength(64);
    expect(formats(65)).toBeNull();
  });

  it('shortens every text', () => {
    const long = 'x'.repeat(100_000);
    const app = { software: 'loops', name: long, url: long, description: long, version: long };
    const config = parsed({ app, registration_mode: long });
    expect(config.name).toHaveLength(200);
    expect(config.description).toHaveLength(2_000);
    expect(config.version).toHaveLength(100);
    expect(config.appUrl).toHaveLength(500);
    expect(config.registration.mode).toHaveLength(50);
  });
});

it('parseConfig does not read inherited properties', () => {
  expect(parseConfig(JSON.parse('{"__proto__":{"app":{"software":"loops"}}}'))).toBeNull();
  expect(parsed(JSON.parse('{"app":{"software":"loops","__proto__":{"name":"x"}}}')).name).toBeNull();
});
