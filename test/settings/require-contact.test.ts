import { describe, expect, it } from 'vitest';
import { requireContact } from '../../src/settings/require-contact.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const settings = (flags: string[]) => loadSettings({ file: null, env: {}, flags });

describe('a crawl with the example for a contact', () => {
  it.each([
    ['that asks the DNS servers of the system', []],
    ['that asks public DNS servers', ['network.dnsServers=["192.0.2.53"]']],
    ['that asks one of its own and a public one', ['network.dnsServers=["127.0.0.1:5353","[2001:db8::53]:53"]']],
  ])('%s is held back with the cure', (_what, flags) => {
    expect(() => requireContact(settings(flags))).toThrow(/contact is still the example.*set it to your https URL/);
  });

  it.each(['["127.0.0.53"]', '["127.0.0.53:53"]', '["[::1]:53"]', '["::1"]', '["[::1]"]'])(
    'that asks the resolver of this machine for the names of the real network, %s, is held back',
    (servers) => {
      expect(() => requireContact(settings([`network.dnsServers=${servers}`]))).toThrow(/contact is still the example/);
    },
  );

  it.each(['["127.0.0.1:5353"]', '["127.0.0.2:5300","[::1]:5353"]', '["[::ffff:127.0.0.1]:5353"]'])(
    'that asks only DNS servers of this machine on a port of their own, %s, is let go',
    (servers) => {
      expect(() => requireContact(settings([`network.dnsServers=${servers}`]))).not.toThrow();
    },
  );
});

it('a crawl with a contact is let go', () => {
  expect(() => requireContact(settings(['contact=https://clips.example/about']))).not.toThrow();
});
