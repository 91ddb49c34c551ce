import { describe, expect, it } from 'vitest';
import type { RequestName } from '../../../src/check/evidence.ts';
import { REQUESTS, type RequestContext } from '../../../src/check/gather/requests.ts';
import { parseLocalServer } from '../../../src/model/domain/local-server.ts';
import { evidenceOf } from '../evidence-of.ts';

const { domain, visit, answers } = evidenceOf();
const context: RequestContext = {
  domain,
  visit,
  answers,
  addresses: [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
  ],
  randomName: () => 'nobody-has-this-name',
};
const requestFor = (name: RequestName, changes: Partial<RequestContext> = {}) =>
  REQUESTS[name].build({ ...context, ...changes });

describe('the table of requests', () => {
  it('lists each request after the one whose answer it needs', () => {
    const names = Object.keys(REQUESTS);
    for (const [name, { after }] of Object.entries(REQUESTS)) {
      if (after !== undefined) expect(names.indexOf(after)).toBeLessThan(names.indexOf(name));
    }
  });

  it('uses GET and OPTIONS, and posts only empty objects, and the headers of an upload', () => {
    for (const [name, { build }] of Object.entries(REQUESTS)) {
      const built = build(context);
      if (name === 'upload') expect(built?.body).toBeUndefined();
      else if (built?.method === 'POST') expect([name, built.body]).toEqual([name, '{}']);
      else expect(['GET', 'OPTIONS', undefined]).toContain(built?.method);
    }
  });

  it('announces an upload of the permitted size, in bytes, unless the size is not plausible', () => {
    const { facts } = visit;
    if (facts === null) return expect.fail();
    const uploadOf = (maxVideoSizeMB: number | null) =>
      requestFor('upload', { visit: { ...visit, facts: { ...facts, limits: { ...facts.limits, maxVideoSizeMB } } } });
    expect(uploadOf(40)?.headers).toMatchObject({ 'content-length': '41943040', expect: '100-continue' });
    for (const size of [null, 0, 40_960]) expect(uploadOf(size)).toBeNull();
  });

  it('sends no credentials', () => {
    for (const { build } of Object.values(REQUESTS)) {
      const { url, headers = {} } = build(context) ?? { url: new URL('https://x.example') };
      expect(Object.keys(headers).filter((name) => /^(?:authorization|cookie)$/i.test(name))).toEqual([]);
      expect([url.username, url.password]).toEqual(['', '']);
    }
  });

  it('skips port 80 and `www.` for a domain with a port', () => {
    const { domain: withPort } = evidenceOf({ domain: 'loops.example:8443' });
    expect(requestFor('config-http', { domain: withPort })).toBeNull();
    expect(requestFor('home-www', { domain: withPort })).toBeNull();
    expect(requestFor('config', { domain: withPort })?.url.href).toBe('https://loops.example:8443/api/v1/config');
  });

  it('requests the `www.` name of a domain, and the name without `www.` of a domain that has it', () => {
    const { domain: www } = evidenceOf({ domain: 'www.loops.example' });
    expect(requestFor('home-www', { domain: www })?.url.href).toBe('https://loops.example/');
    expect(requestFor('home-www')?.url.href).toBe('https://www.loops.example/');
  });

  it('requests a single address family only when the host has both', () => {
    expect(requestFor('config-ipv6')?.addresses).toEqual([context.addresses[1]]);
    expect(requestFor('config-ipv4', { addresses: context.addresses.slice(0, 1) })).toBeNull();
    expect(requestFor('config-ipv6', { addresses: context.addresses.slice(0, 1) })).toBeNull();
  });

  it('requests the actor of a local server on this machine, whatever WebFinger names', () => {
    const local = parseLocalServer('http://127.0.0.1:8089') ?? expect.fail();
    expect(requestFor('actor')?.url.href).toBe('https://loops.example/ap/actor');
    expect(requestFor('actor', { domain: local })?.url.href).toBe('http://127.0.0.1:8089/ap/actor');
    expect(requestFor('inbox', { domain: local })?.url.href).toBe('http://127.0.0.1:8089/ap/inbox');
  });

  it('skips actors when config disables federation', () => {
    const facts = visit.facts === null ? null : { ...visit.facts, federation: false };
    for (const name of ['webfinger', 'webfinger-unknown', 'actor'] as const) {
      expect(requestFor(name)).not.toBeNull();
      expect(requestFor(name, { visit: { ...visit, facts } })).toBeNull();
    }
  });
});
