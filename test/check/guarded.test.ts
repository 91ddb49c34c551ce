import { describe, expect, it } from 'vitest';
import { gatherFrom, IPV4, IPV6, type OperatorHost, startOperatorHost } from './operator-host.ts';

const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
const FORBIDDEN = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1'];
const LOOPBACK = { a: ['127.0.0.1'], aaaa: [], caa: [] };

/** Asserts that only the public addresses of the host were dialled. */
const expectOnlyOwnAddresses = ({ dialled }: OperatorHost) =>
  expect(dialled.filter((to) => !to.startsWith(`${IPV4}:`) && !to.startsWith(`${IPV6}:`))).toEqual([]);

/** Makes NodeInfo discovery link to the href. */
const advertiseNodeInfo = (host: OperatorHost, href: string) => {
  host.behaviour.answer = ({ url }, response) => {
    if (url !== '/.well-known/nodeinfo') return false;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ links: [{ rel: schema, href }] }));
    return true;
  };
};

// Each title completes this sentence.
describe('a check never connects to a non-public address,', () => {
  it.each(FORBIDDEN)("given as the host's address %s", async (address) => {
    const host = await startOperatorHost({
      ipv4: [],
      ipv6: [],
      ...(address.includes(':') ? { ipv6: [address] } : { ipv4: [address] }),
    });
    const { visit, tls, answers, dns } = await gatherFrom(host);
    expect(visit.reason).toBe('forbidden-address');
    expect(tls).toBeNull();
    expect(Object.values(answers).filter((answer) => answer !== null)).toEqual([]);
    expect([...dns.ipv4.forbidden, ...dns.ipv6.forbidden]).toMatchObject([{ what: expect.any(String) }]);
    expect(host.dialled).toEqual([]);
  });

  it('nor to the public addresses of a host that also has a non-public one', async () => {
    const host = await startOperatorHost({ ipv4: [IPV4, '10.0.0.1'] });
    const { dns } = await gatherFrom(host);
    expect(dns.ipv4.forbidden).toEqual([
      { address: '10.0.0.1', what: expect.any(String), source: expect.stringContaining('RFC 1918') },
    ]);
    expect(host.dialled).toEqual([]);
  });

  it('given in a NodeInfo href as a literal address', async () => {
    const host = await startOperatorHost();
    advertiseNodeInfo(host, 'https://127.0.0.1/nodeinfo/2.0');
    const { answers } = await gatherFrom(host, { only: ['nodeinfo'] });
    expect(answers.nodeinfo).toMatchObject({ status: null, failure: 'forbidden-address' });
    expectOnlyOwnAddresses(host);
  });

  it('given in a NodeInfo href with a name that resolves to it', async () => {
    const host = await startOperatorHost({ names: { 'inside.example': { a: [], aaaa: ['::1'], caa: [] } } });
    advertiseNodeInfo(host, 'https://inside.example/nodeinfo/2.0');
    const { answers } = await gatherFrom(host, { only: ['nodeinfo'] });
    expect(answers.nodeinfo).toMatchObject({ status: null, failure: 'forbidden-address' });
    expectOnlyOwnAddresses(host);
  });

  it('given for the `www.` name, which resolves to it', async () => {
    const host = await startOperatorHost({ names: { 'www.loops.example': LOOPBACK } });
    const { answers } = await gatherFrom(host);
    expect(answers['home-www']).toMatchObject({ status: null, failure: 'forbidden-address' });
    expectOnlyOwnAddresses(host);
  });

  it('given as the actor URL in WebFinger', async () => {
    const host = await startOperatorHost({ names: { 'inside.example': LOOPBACK } });
    host.behaviour.answer = ({ url = '' }, response) => {
      if (!url.startsWith('/.well-known/webfinger')) return false;
      const links = [{ rel: 'self', type: 'application/activity+json', href: 'https://inside.example/ap/actor' }];
      response.writeHead(200, { 'content-type': 'application/jrd+json' }).end(JSON.stringify({ links }));
      return true;
    };
    const { answers } = await gatherFrom(host, { only: ['federation'] });
    expect(answers.actor).toMatchObject({
      url: 'https://inside.example/ap/actor',
      status: null,
      failure: 'forbidden-address',
    });
    expectOnlyOwnAddresses(host);
  });

  it.each(['http://127.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/'])(
    'given in a redirect to %s',
    async (location) => {
      const host = await startOperatorHost();
      host.behaviour.answer = (_request, response) => {
        response.writeHead(302, { location }).end();
        return true;
      };
      const { answers } = await gatherFrom(host);
      expect(answers.config).toMatchObject({ status: 302, headers: { location } });
      expectOnlyOwnAddresses(host);
    },
  );
});

describe('an advertised NodeInfo URL', () => {
  it('is requested exactly as given', async () => {
    const host = await startOperatorHost();
    advertiseNodeInfo(host, 'https://loops.example//nodeinfo/./2.0?a=%7e#part');
    const { answers } = await gatherFrom(host, { only: ['nodeinfo'] });
    expect(answers.nodeinfo?.url).toBe('https://loops.example//nodeinfo/./2.0?a=%7e');
    // By the identification, then by the check.
    expect(host.requests.filter((request) => request === 'GET //nodeinfo/./2.0?a=%7e')).toHaveLength(2);
  });

  it.each([
    '/nodeinfo/2.0',
    'loops.example/nodeinfo/2.0',
    'https://loops.example:22/nodeinfo/2.0',
    'ftp://loops.example/',
  ])('is not requested if it is %s', async (href) => {
    const host = await startOperatorHost();
    advertiseNodeInfo(host, href);
    const { answers } = await gatherFrom(host, { only: ['nodeinfo'] });
    expect(answers.nodeinfo).toBeNull();
    expectOnlyOwnAddresses(host);
  });
});
