import { expect, test } from 'vitest';
import type { About } from '../../src/directory/about.ts';
import { createAbout } from '../../src/service/about.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { aboutPage } from '../../src/site/about/about-page.ts';
import { liveSite, staticSite } from '../../src/site/site.ts';

/** Cadence keys that are intervals; `maxHours` limits the backoff instead. */
const isInterval = (key: string) => /(Hours|Minutes)$/.test(key) && key !== 'maxHours';

const settings = (flags: Readonly<Record<string, unknown>> = {}) => loadSettings({ file: null, env: {}, flags });
const site = liveSite({ path: '/about', at: 0 });
const pageOf = (about: About) => aboutPage({ about, optOuts: 7, canCheck: true }, site);

test('the about page follows the current settings', () => {
  let current = settings({ contact: 'https://crawler.example.org/me' });
  const about = createAbout(() => current);
  const before = pageOf(about());
  expect(before).toContain('<a href="https://crawler.example.org/me" rel="nofollow">');
  for (const [what, wait] of [
    ['that found a Loops server', '6 hours'],
    ['that failed, to a server that was up', '10 minutes'],
    ['to a server that is down, on the first day', '1 hour'],
    ['that was inconclusive', '7 days, doubled each time, up to 30 days'],
    ['that timed out', '3 hours, doubled each time, up to 30 days'],
    ['that failed in TLS, for example because of an expired certificate', '12 hours, doubled each time, up to 30 days'],
    ['to a name with an address that is not public', '30 days'],
    ['that was answered 429 Too Many Requests, at least', '1 hour'],
    ['that was answered 410 Gone', '90 days'],
  ]) {
    expect(before).toContain(`<td>${what}</td><td>${wait}</td>`);
  }
  expect(before.match(/<tr><td>/g)).toHaveLength(
    Object.keys(settings().cadence).filter((key) => isInterval(key)).length,
  );
  expect(before).toContain('for 400 days, its requests for 30 days, and the documents received for 30 days');
  expect(before).toContain('randomly up to 10% longer or shorter');
  expect(before).toContain('cached for a day');
  expect(before).toContain('monthly files of visits and counts stay');
  expect(before).not.toMatch(/most any number/);
  expect(before).toContain('User-agent: Loopscout\nDisallow: /');
  expect(before).toContain('the number of opt-outs is published, 7 so far');
  current = settings({
    cadence: { loopsHours: 12, maxHours: 240, jitter: 0.2 },
    queue: { perAddress: 0 },
    retention: { visitsDays: 111, stepsDays: 22, documentsDays: 33 },
    robots: 'strict',
    contact: 'mailto:me@example.org',
  });
  const after = pageOf(about());
  expect(after).toContain('<td>that found a Loops server</td><td>12 hours</td>');
  expect(after).toContain('3 hours, doubled each time, up to 10 days');
  expect(after).toContain('up to 20% longer');
  expect(after).toContain('Concurrent visits per address: any number.');
  expect(after).toContain('for 111 days, its requests for 22 days, and the documents received for 33 days');
  expect(after).toContain('<a href="mailto:me@example.org">');
  expect(after).toContain('whether a group names this crawler or all crawlers (*)');
});

test('a contact with markup is shown as text', () => {
  const about = createAbout(() => settings())();
  const text = pageOf({ ...about, contact: 'https://x"><script>alert(1)</script>', userAgent: '<b>' });
  expect(text).not.toContain('<script>');
  expect(text).not.toContain('<b>');
});

test('a static site links to no page that only a live one has', () => {
  const about = createAbout(() => settings())();
  const text = aboutPage({ about, optOuts: 0, canCheck: false }, staticSite({ path: '/about/', at: 0 }));
  expect(text).not.toMatch(/href="[^"]*(?:check\?|domains)/);
});
