import { describe, expect, it } from 'vitest';
import { requireContact } from '../../src/settings/require-contact.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const settings = (flags: string[]) => loadSettings({ file: null, env: {}, flags });

describe('a crawl with the example contact', () => {
  it.each([
    ['that uses the DNS servers of the system', []],
    ['that uses public DNS servers', ['network.dnsServers=["192.0.2.53"]']],
    ['that uses a local and a public DNS server', ['network.dnsServers=["127.0.0.1:5353","[2001:db8::53]:53"]']],
  ])('%s is refused, and the error names the cure', (_name, flags) => {
    expect(() => requireContact(settings(flags))).toThrow(/contact is an example.*set it to your https URL/);
  });

  it.each(['["127.0.0.53"]', '["127.0.0.53:53"]', '["[::1]:53"]', '["::1"]', '["[::1]"]'])(
    'that uses the system resolver on this machine, %s, is refused',
    (servers) => {
      expect(() => requireContact(settings([`network.dnsServers=${servers}`]))).toThrow(/contact is an example/);
    },
  );

  it.each(['["127.0.0.1:5353"]', '["127.0.0.2:5300","[::1]:5353"]', '["[::ffff:127.0.0.1]:5353"]'])(
    'that uses only local DNS servers on other ports, %s, is allowed',
    (servers) => {
      expect(() => requireContact(settings([`network.dnsServers=${servers}`]))).not.toThrow();
    },
  );
});

it.each([
  'https://example.org',
  'https://bot.example.com/about',
  'https://your.site:8443/bot',
  'https://crawler.example/',
  'https://LOCALHOST/bot',
  'https://bot.localhost/',
  'https://crawler.test?a=b',
  'me@example.net',
  'mailto:me@mail.crawler.invalid',
])('a crawl with the contact %s, a name for examples, is refused', (contact) => {
  expect(() => requireContact(settings([`contact=${contact}`]))).toThrow('contact is an example');
});

it.each([
  'https://myexample.org/bot',
  'https://example.org.clips.dev',
  'me@latest.dev',
  'https://clips.dev/@example.org',
])('a crawl with the contact %s is allowed', (contact) => {
  expect(() => requireContact(settings([`contact=${contact}`]))).not.toThrow();
});

it('a crawl with a contact is allowed', () => {
  expect(() => requireContact(settings(['contact=https://clips.dev/about']))).not.toThrow();
});

it('the error says which file to edit, or how to write one', () => {
  const crawl = (exists: boolean) => () => requireContact(settings([]), { path: '/home/crawler.config.json', exists });
  expect(crawl(true)).toThrow('bot: in /home/crawler.config.json, set it to your https URL or mail address');
  expect(crawl(false)).toThrow('bot: write /home/crawler.config.json with loopscout init, or set it to your https URL');
});
