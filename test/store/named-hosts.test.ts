import { expect, test } from 'vitest';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import type { Step } from '../../src/record/step.ts';
import { namedHosts } from '../../src/store/named-hosts.ts';
import { loopsVisit } from './sample-visit.ts';

const own = storedDomain('clips.example.org');
const step = (url: string, note?: string): Step => ({
  probe: 'config',
  url,
  status: 200,
  ms: 1,
  bytes: 1,
  failure: null,
  ...(note === undefined ? {} : { note }),
});

test('a visit that met no other host names none', () => {
  for (const domain of [own, storedDomain('clips.example.org:8443')]) {
    const paths = ['robots.txt', 'api/v1/config', '.well-known/nodeinfo', 'nodeinfo/2.0', 'nodeinfo/2.1'];
    const steps = paths.map((path) => step(`https://${domain}/${path}`, 'redirects to /api/v1/config'));
    expect([...namedHosts([...loopsVisit(domain, 1).steps, ...steps], domain)]).toEqual([]);
  }
});

test.each([
  ['a URL', step('https://other.example/robots.txt')],
  ['a URL in capitals', step('HTTPS://Other.Example/robots.txt')],
  ['a look-up', step('other.example')],
  ['a redirect', step(`https://${own}/`, 'redirects to other.example, which redirects back here')],
  ['the end of a sentence', step(`https://${own}/`, 'it speaks for other.example.')],
  [
    'a certificate',
    step(`https://${own}/`, "Host: clips.example.org. is not in the cert's altnames: DNS:other.example"),
  ],
  ['an encoded query', step(`https://${own}/login?next=https%3A%2F%2Fother.example%2f`)],
  ['a mail address', step(`https://${own}/`, 'write to admin@other.example')],
])('names a host that is in %s', (_, said) => {
  expect([...namedHosts([said], own)]).toEqual(['other.example']);
});

test('names a host with a port by both its names, and one below its own as another', () => {
  expect([...namedHosts([step('https://other.example:8443/')], own)]).toEqual(['other.example:8443', 'other.example']);
  expect([...namedHosts([step(`https://${own}:8443/`)], own)]).toEqual([`${own}:8443`]);
  expect([...namedHosts([step(`https://www.${own}/`)], own)]).toEqual([`www.${own}`]);
});

test('a text of any length and nothing in it is read at once', () => {
  const begunAt = performance.now();
  const texts = ['.'.repeat(100_000), 'a.'.repeat(50_000), '-'.repeat(100_000), '1.'.repeat(100)];
  expect(
    namedHosts(
      texts.map((text) => step(text, text)),
      own,
    ).size,
  ).toBe(0);
  expect(performance.now() - begunAt).toBeLessThan(500);
});
