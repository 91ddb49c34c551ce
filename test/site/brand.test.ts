import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings, type Settings, SettingsError } from '../../src/settings/settings.ts';
import { accentStyle } from '../../src/site/accent-style.ts';
import { ASSETS } from '../../src/site/assets.ts';
import { createBrand } from '../../src/site/brand.ts';
import { english } from '../../src/site/words/english.ts';
import { readOwnWords, templatesOf } from '../../src/site/words/own-words.ts';
import { openSite } from './open-site.ts';
import { PAGES } from './pages-under-test.ts';
import { DOWN_DOMAIN, domainOf } from './site-store.ts';

const SMALL = { instances: 12, days: 40, everyDays: 7 };
const HOSTILE = `"'><script>window.hostile=1</script><img src=x onerror=window.hostile=1>`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-brand-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const siteSettings = (site: object): Settings['site'] => loadSettings({ file: null, env: {}, flags: { site } }).site;

/** The templates with each text changed. */
function changed(tree: object, change: (text: string, key: string) => string, at = ''): object {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const name = at === '' ? key : `${at}.${key}`;
      return [key, typeof value === 'string' ? change(value, name) : changed(value, change, name)];
    }),
  );
}

test('a directory shows its own name, text, logo, colour, language and links on the pages', async () => {
  const logo = file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const links = { imprint: 'https://clips.example/imprint', contact: 'mailto:me@clips.example' };
  const site = { name: 'Clips', text: 'Where clips live.', logo, accent: '#0a7f5a', language: 'de', links };
  await using server = await openSite(SMALL, { site });
  const html = await (await fetch(server.url)).text();
  const $ = load(html);
  expect($('html').attr('lang')).toBe('de');
  expect([$('title').text(), $('.brand').text(), $('meta[property="og:site_name"]').attr('content')]).toEqual([
    'Clips – Find a home on Loops',
    'Clips',
    'Clips',
  ]);
  expect($('.hero p').first().text()).toBe('Where clips live.');
  const footer = $('footer a')
    .get()
    .map((link) => [$(link).text(), $(link).attr('href')]);
  expect(footer.slice(-2)).toEqual([
    ['Imprint', 'https://clips.example/imprint'],
    ['Contact', 'mailto:me@clips.example'],
  ]);
  for (const url of [$('.brand img').attr('src'), $('link[rel="icon"]').attr('href')]) {
    const answer = await fetch(`${server.url}${url}`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ]);
  }
  // An SVG is no picture for link previews.
  expect($('meta[property="og:image"]').attr('content')).toMatch(/^\/assets\/picture\.png\?v=/);
  const style = $('link[rel="stylesheet"]').attr('href') ?? '';
  expect(style).not.toContain(ASSETS['site.css'].digest);
  expect(await (await fetch(server.url + style)).text()).toContain(':root { --accent: #0a7a56;');
  // German months and separators.
  expect($('footer time').text()).toMatch(/^\d+\. [A-Z]\S+ \d{4}, /);
});

test('no name, text, link or word of an owner is HTML on any page', async () => {
  const words = file('hostile.json', JSON.stringify(changed(templatesOf(english), (text) => text + HOSTILE)));
  const check = async () => ({ kind: 'failed' as const });
  const submit = async () => ({ kind: 'opted-out' as const });
  const site = { name: `Clips ${HOSTILE.slice(0, 45)}`, text: HOSTILE, words };
  await using server = await openSite(SMALL, { check, submit, site } as never);
  const faults: string[] = [];
  for (const { path, isOnlyStatic } of PAGES) {
    if (isOnlyStatic === true) continue;
    const $ = load(await (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text());
    const scripts = $('script:not([src^="/assets/"]), img[onerror], img[src="x"]').length;
    if (scripts > 0) faults.push(`${path}: ${scripts}`);
    expect($('.brand').text(), path).toContain('<script>');
  }
  expect(faults).toEqual([]);
});

test('with all words replaced, no page of the directory shows one of ours', async () => {
  const words = file(
    'other.json',
    JSON.stringify(changed(templatesOf(english), (text) => `§${text.replace(/[^{}]+(?=\{|$)/g, '')}`)),
  );
  await using server = await openSite(SMALL, { site: { words } });
  const ours: [key: string, text: string][] = [];
  changed(templatesOf(english), (text, key) => {
    // Sentences about single visits share their words with the command line.
    if (text.length >= 12 && !text.includes('{') && !key.startsWith('stats.failures.means.')) ours.push([key, text]);
    return text;
  });
  const shown: string[] = [];
  for (const path of [
    '/',
    '/table/',
    '/stats/',
    `/instances/${domainOf(7)}/`,
    `/instances/${DOWN_DOMAIN}/`,
    '/crawler',
    '/?q=mastodon',
    '/?q=none-has-this&features=x&feature=x',
  ]) {
    const $ = load(await (await fetch(server.url + path)).text());
    $('style, script').remove();
    const text = $('body').text();
    expect(text).toContain('§');
    for (const [key, one] of ours) if (text.includes(one)) shown.push(`${path} ${key}: ${one}`);
  }
  expect(ours.length).toBeGreaterThan(100);
  expect(shown).toEqual([]);
});

describe('own words', () => {
  const read = (value: unknown, language = 'en') => readOwnWords(file('words.json', JSON.stringify(value)), language);

  test('our own file gives our own texts, with their values', () => {
    const { words, missing } = read(templatesOf(english));
    expect(missing).toEqual([]);
    expect(words.about.lead('1.2')).toBe(english.about.lead('1.2'));
    expect(words.directory.results.found(1, '1', '9')).toBe('1 server of 9');
    expect(words.directory.results.found(3, '3', '9')).toBe('3 servers of 9');
    expect(words.instance.changes.changed('a', '{to}', '$&')).toBe(english.instance.changes.changed('a', '{to}', '$&'));
  });

  test('a plural has the forms of its language', () => {
    const all = { one: '{text} serwer', few: '{text} serwery', many: '{text} serwerów', other: '{text} serwera' };
    const { words } = read({ directory: { results: { all } } }, 'pl');
    const text = (count: number) => words.directory.results.all(count, String(count));
    expect([1, 2, 5, 22].map(text)).toEqual(['1 serwer', '2 serwery', '5 serwerów', '22 serwery']);
  });

  test('missing texts stay ours and are named', () => {
    const { words, missing } = read({ frame: { skip: 'Zum Inhalt' } });
    expect([words.frame.skip, words.frame.optOut]).toEqual(['Zum Inhalt', 'Opt out']);
    expect(missing).toContain('frame.optOut');
    expect(missing).not.toContain('frame.skip');
  });

  test.each<[what: string, value: unknown, problem: string]>([
    ['an unknown text', { frame: { skp: '' } }, 'frame.skp is not a text of the pages; did you mean frame.skip?'],
    ['an unknown group', { zzzzzzzz: {} }, 'zzzzzzzz is not a text of the pages'],
    ['a number', { frame: { skip: 1 } }, 'frame.skip is 1; allowed: a text'],
    ['a text for a group', { frame: 'x' }, 'frame is "x"; allowed: an object of texts'],
    ['a group for a text', { frame: { skip: { a: 'b' } } }, 'frame.skip is {"a":"b"}; allowed: a text'],
    ['a list', [], 'the document is []; allowed: an object of texts'],
    [
      'an unknown value',
      { directory: { totals: { up: '{ups}' } } },
      'directory.totals.up is a text with {ups}; allowed: {up}, {down}',
    ],
    ['a value where there is none', { frame: { skip: '{x}' } }, 'frame.skip is a text with {x}; allowed: no values'],
    [
      'an unknown plural',
      { directory: { results: { all: { other: '', some: '' } } } },
      'directory.results.all.some is not a plural',
    ],
    [
      'a plural without other',
      { directory: { results: { all: { one: '' } } } },
      'directory.results.all.other is missing',
    ],
  ])('%s is refused by its key', (_what, value, problem) => {
    expect(() => read(value)).toThrow(problem);
    expect(() => read(value)).toThrow(SettingsError);
  });

  test('every fault is named at once; a file that is no JSON is named with the place', () => {
    expect(() => read({ frame: { skp: '' }, about: 1 })).toThrow(/about is 1.*\n.*frame\.skp/);
    expect(() => readOwnWords(file('broken.json', '{"frame":'), 'en')).toThrow(
      /broken\.json: line 1, column 10 is not JSON/,
    );
    expect(() => readOwnWords(join(folder, 'none.json'), 'en')).toThrow('site.words is unreadable (ENOENT)');
  });
});

test.each<[what: string, site: () => object, problem: string | RegExp]>([
  ['a logo that is missing', () => ({ logo: join(folder, 'none.png') }), 'site.logo is unreadable (ENOENT)'],
  [
    'a logo that is a page',
    () => ({ logo: file('a.html', 'x') }),
    'site.logo is not an image; name one that ends in .svg',
  ],
  [
    'an icon that is too large',
    () => ({ icon: file('b.png', 'x'.repeat(300_000)) }),
    'site.icon is a file of 300000 bytes',
  ],
  ['an empty icon', () => ({ icon: file('c.png', '') }), 'site.icon is a file of 0 bytes'],
  ['a link that is a script', () => ({ links: { imprint: 'javascript:alert(1)' } }), 'site.links.imprint'],
  ['a colour by name', () => ({ accent: 'red' }), 'site.accent is "red"; allowed: a colour such as #0a7f5a'],
  ['a language that is none', () => ({ language: 'e' }), 'site.language'],
  ['an empty name', () => ({ name: ' ' }), 'site.name is " "; allowed: one line of text'],
  ['an invisible name', () => ({ name: '\u200b' }), 'site.name'],
])('%s is refused by its key', (_what, site, problem) => {
  expect(() => createBrand(siteSettings(site()))).toThrow(problem);
});

test.each(['#ffff00', '#000000', '#ffffff', '#ff0000', '#0a7f5a', '#767676'])(
  'the accent %s is readable on every background of both schemes, and as a button',
  (accent) => {
    const css = ASSETS['site.css'].bytes;
    const value = (text: string, name: string, index = 0) =>
      [...text.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6})`, 'g'))][index]?.[1] ?? '';
    const style = accentStyle(accent, css);
    for (const scheme of [0, 1]) {
      const shade = value(style, 'accent', scheme);
      const backgrounds = ['page', 'surface', 'raised'].map((name) => value(css.toString(), name, scheme));
      for (const other of [...backgrounds, value(style, 'accent-soft', scheme), value(style, 'on-accent', scheme)])
        expect(contrast(shade, other), `${shade} on ${other}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);

/** WCAG 2.2, written independently of the code under test. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const part = Number(`0x${colour.slice(1 + 2 * index, 3 + 2 * index)}`) / 255;
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
