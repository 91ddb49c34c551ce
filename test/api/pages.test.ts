import { expect, test } from 'vitest';
import { aboutPage } from '../../src/api/pages/about-page.ts';
import { InstanceFlag } from '../../src/model/facts/instance-facts.ts';
import { createAbout } from '../../src/service/about.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openApi } from './open-api.ts';

/** Cadence keys that are intervals; `maxHours` limits the backoff instead. */
const isInterval = (key: string) => key.endsWith('Hours') && key !== 'maxHours';

const settings = (flags: Readonly<Record<string, unknown>> = {}) => loadSettings({ file: null, env: {}, flags });

test('the API page names every path and parameter of the OpenAPI document', async () => {
  const { get } = await openApi();
  const { text } = await get('/api');
  const { paths } = (await get('/openapi.json')).json();
  type Operations = Record<string, { parameters?: { name: string }[] }>;
  for (const [path, operations] of Object.entries<Operations>(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
      for (const { name } of parameters) expect(text).toContain(`<code>${name}</code>`);
    }
  }
});

test('the API page has an example of each request, all values and defaults of parameters, and every response field', async () => {
  const { get } = await openApi();
  const { text } = await get('/api');
  const { paths, components } = (await get('/openapi.json')).json();
  const examples = [...text.matchAll(/For example <a href="([^"]+)"/g)].map(([, url = '']) =>
    url.replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code))),
  );
  for (const { get: operation } of Object.values<{ get?: { 'x-example': string } }>(paths)) {
    if (operation !== undefined) expect(examples).toContain(operation['x-example']);
  }
  expect(text).toContain('<code>{&#34;domain&#34;:&#34;loops.example&#34;}</code> as JSON');
  expect(text).toContain(InstanceFlag.options.join(', '));
  expect(text.match(/Default: 100\./g)).toHaveLength(3);
  expect(text).toContain('Default: 5.');
  expect(text).toContain('whole number from 1 to 500');
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`<h3 id="schema-${name}">`);
  const links = [...text.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);
  expect(links).toContain('schema-InstanceList');
  for (const id of links) expect(text).toContain(`id="${id}"`);
  for (const [path, kind] of [
    ['instances[].usage.users', 'whole number from 0 or null'],
    ['uptime.coverage.day', 'number from 0 to 1'],
    ['visits[].steps[].failure', 'config-software, '],
    ['versions[].version', 'text'],
    ['generatedAt', 'time'],
  ]) {
    expect(text).toContain(`<td><code>${path}</code></td><td>${kind}`);
  }
  expect(text).not.toContain('A word of a later version');
});

test('pages contain no style and no script, and may load only files of this server', async () => {
  const { get } = await openApi();
  for (const url of ['/api', '/about']) {
    const { text, headers } = await get(url);
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
    expect(text).not.toMatch(/<script|<style|\son\w+=|\sstyle=|\b(?:src|action)="(?!\/)/i);
  }
});

test('the about page follows the current settings', async () => {
  let current = settings({ contact: 'https://crawler.example.org/me' });
  const { get } = await openApi(undefined, { about: createAbout(() => current) });
  const before = await get('/about');
  expect(before.text).toContain('<a href="https://crawler.example.org/me" rel="nofollow">');
  expect(before.text).toContain('6 hours');
  for (const [what, wait] of [
    ['that found a Loops instance', '6 hours'],
    ['that was inconclusive', '7 days, doubled each time, up to 30 days'],
    ['that timed out', '3 hours, doubled each time, up to 30 days'],
    ['that failed in TLS, for example because of an expired certificate', '12 hours, doubled each time, up to 30 days'],
    ['to a name with an address that is not public', '30 days'],
    ['that was answered 429 Too Many Requests, at least', '1 hour'],
    ['that was answered 410 Gone', '90 days'],
  ]) {
    expect(before.text).toContain(`<td>${what}</td><td>${wait}</td>`);
  }
  expect(before.text.match(/<tr><td>/g)).toHaveLength(
    Object.keys(settings().cadence).filter((key) => isInterval(key)).length,
  );
  expect(before.text).toMatch(
    /visit with its outcome for 400 days, its requests for 30 days, and the documents\s+received for 30 days/,
  );
  expect(before.text).toContain('randomly up to 10 % longer or shorter');
  expect(before.text).toMatch(/cached for a\s+day/);
  expect(before.text).toContain('monthly files of visits and counts stay');
  expect(before.text).not.toMatch(/most any number/);
  expect(before.text).toContain('User-agent: Loopscout');
  current = settings({
    cadence: { loopsHours: 12, maxHours: 240, jitter: 0.2 },
    queue: { perAddress: 0 },
    retention: { visitsDays: 111, stepsDays: 22, documentsDays: 33 },
    robots: 'strict',
    contact: 'mailto:me@example.org',
  });
  const after = await get('/about');
  expect(after.text).toContain('<td>that found a Loops instance</td><td>12 hours</td>');
  expect(after.text).toContain('3 hours, doubled each time, up to 10 days');
  expect(after.text).toContain('up to 20 % longer');
  expect(after.text).toContain('Concurrent visits per address: any number.');
  expect(after.text).toMatch(/for 111 days, its requests for 22 days, and the documents\s+received for 33 days/);
  expect(after.text).toContain('<a href="mailto:me@example.org">');
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

test('a contact with markup is shown as text', () => {
  const about = createAbout(() => settings())();
  const text = aboutPage({ ...about, contact: 'https://x"><script>alert(1)</script>', userAgent: '<b>' }, 0);
  expect(text).not.toContain('<script>');
  expect(text).not.toContain('<b>');
});
