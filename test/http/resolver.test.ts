import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Packet, UDPServer } from 'dns2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createResolver, type Resolver } from '../../src/http/resolver.ts';

const { TYPE, CLASS, RCODE } = Packet;

/** The responses by record type: addresses, an RCODE, or no response. */
interface Zone {
  A?: string[] | number | 'silence';
  AAAA?: string[] | number | 'silence';
  /** Delay of the response, in milliseconds. */
  delayMs?: { A?: number; AAAA?: number };
  /** The response to queries for other record types, for example the availability check. */
  rest?: number | 'silence';
}

/** A resolver that uses the test's name server, and the names in the queries that this server received. */
async function resolverFor(
  zone: Zone,
  timeoutMs = 5_000,
  silentServers: readonly string[] = [],
): Promise<{ resolver: Resolver; queries: string[] }> {
  const queries: string[] = [];
  const server = new UDPServer();
  server.on('requestError', () => undefined);
  server.on('request', (request: Packet, send: (response: Packet) => unknown) => {
    const [question] = request.questions;
    if (question === undefined) return;
    queries.push(question.name);
    const answer =
      question.type === TYPE.A ? zone.A : question.type === TYPE.AAAA ? zone.AAAA : (zone.rest ?? RCODE.NOERROR);
    if (answer === 'silence') return;
    const response = Packet.createResponseFromRequest(request);
    response.header.rcode = typeof answer === 'number' ? answer : RCODE.NOERROR;
    if (Array.isArray(answer)) {
      response.answers = answer.map((address) =>
        Packet.createResourceFromQuestion(question, { class: CLASS.IN, ttl: 60, address }),
      );
    }
    const delay = question.type === TYPE.A ? zone.delayMs?.A : zone.delayMs?.AAAA;
    if (delay === undefined) void send(response);
    else setTimeout(() => void send(response), delay);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const servers = [...silentServers, `127.0.0.1:${server.address().port}`];
  return { resolver: createResolver({ servers, timeoutMs }), queries };
}

/** A name server that never responds. */
async function startSilentServer(): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return `127.0.0.1:${socket.address().port}`;
}

async function resolverForClosedPort(): Promise<Resolver> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return createResolver({ servers: [`127.0.0.1:${port}`], timeoutMs: 5_000 });
}

describe('resolve', () => {
  it.each<[string, Zone, unknown]>([
    [
      'both families',
      { A: ['1.1.1.1', '1.0.0.1'], AAAA: ['2606:4700::1111'] },
      [
        ['1.1.1.1', 4],
        ['1.0.0.1', 4],
        ['2606:4700::1111', 6],
      ],
    ],
    ['IPv4 alone', { A: ['1.1.1.1'] }, [['1.1.1.1', 4]]],
    ['an IPv4-mapped address as an IPv4 address', { AAAA: ['::ffff:101:101'] }, [['1.1.1.1', 4]]],
    ['IPv6 alone', { AAAA: ['2606:4700::1111'] }, [['2606:4700::1111', 6]]],
    ['one address family when the other fails', { A: ['1.1.1.1'], AAAA: RCODE.SERVFAIL }, [['1.1.1.1', 4]]],
    ['forbidden addresses, which it does not check', { A: ['127.0.0.1'] }, [['127.0.0.1', 4]]],
  ])('finds %s', async (_what, zone, expected) => {
    const { resolver } = await resolverFor(zone);
    const resolution = await resolver.resolve('server.example');
    expect(resolution).toMatchObject({ ok: true });
    expect(resolution.ok && resolution.addresses.map(({ address, family }) => [address, family])).toEqual(expected);
  });

  it.each<[string, Zone, string]>([
    ['NXDOMAIN', { A: RCODE.NXDOMAIN, AAAA: RCODE.NXDOMAIN }, 'dns-nxdomain'],
    ['no data', {}, 'dns-no-address'],
    ['SERVFAIL', { A: RCODE.SERVFAIL, AAAA: RCODE.SERVFAIL }, 'dns-servfail'],
    ['REFUSED', { A: RCODE.REFUSED, AAAA: RCODE.REFUSED }, 'dns-refused'],
    ['NOTIMP', { A: RCODE.NOTIMP, AAAA: RCODE.NOTIMP }, 'dns-servfail'],
    ['NXDOMAIN for one family and SERVFAIL for the other', { A: RCODE.SERVFAIL, AAAA: RCODE.NXDOMAIN }, 'dns-nxdomain'],
    ['no data for one family and REFUSED for the other', { A: [], AAAA: RCODE.REFUSED }, 'dns-refused'],
    ['no data for one family and SERVFAIL for the other', { A: RCODE.SERVFAIL, AAAA: [] }, 'dns-servfail'],
  ])('fails with the code for the response: %s', async (_what, zone, failure) => {
    const { resolver } = await resolverFor(zone);
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure });
  });

  it.each<[string, Zone, string]>([
    [
      'the addresses of one family when the query for the other gets no response',
      { A: ['1.1.1.1'], AAAA: 'silence' },
      '1.1.1.1',
    ],
    [
      'NXDOMAIN when the query for the other family gets no response',
      { A: RCODE.NXDOMAIN, AAAA: 'silence' },
      'dns-nxdomain',
    ],
  ])('finds %s, without waiting for every retry', async (_what, zone, expected) => {
    // The first retry would come after the time-out of the test.
    const { resolver } = await resolverFor(zone, 600_000);
    const resolution = await resolver.resolve('server.example');
    expect(resolution.ok ? resolution.addresses[0].address : resolution.failure).toBe(expected);
    resolver.cancel();
  });

  it.each<[string, Zone]>([
    ['AAAA', { A: ['1.1.1.1'], AAAA: RCODE.NXDOMAIN, delayMs: { A: 60 } }],
    ['A', { A: RCODE.NXDOMAIN, AAAA: ['2606:4700::1111'], delayMs: { AAAA: 60 } }],
  ])('finds the addresses of a name even if the query for %s returns NXDOMAIN first', async (_which, zone) => {
    const { resolver } = await resolverFor(zone);
    expect(await resolver.resolve('server.example')).toMatchObject({ ok: true });
  });

  it('fails with dns-timeout when one query gets no response and the other no data', async () => {
    const { resolver } = await resolverFor({ A: 'silence', AAAA: [] }, 40);
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-timeout' });
  });

  it('uses the third server when two do not respond', async () => {
    const silent = await Promise.all([startSilentServer(), startSilentServer()]);
    const { resolver } = await resolverFor({ A: ['1.1.1.1'] }, 200, silent);
    expect(await resolver.resolve('server.example')).toMatchObject({ ok: true });
    resolver.cancel();
  });

  it('gives up after five times the time-out of a try if none of three servers responds, also in its availability checks', async () => {
    const silent = await Promise.all([startSilentServer(), startSilentServer(), startSilentServer()]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const resolver = createResolver({ servers: silent, timeoutMs: 600_000 });
    const results = Promise.all([resolver.resolve('server.example'), resolver.isAnswering(), resolver.canResolve()]);
    await vi.advanceTimersByTimeAsync(5 * 600_000);
    expect(await results).toEqual([{ ok: false, failure: 'dns-timeout' }, false, false]);
    resolver.cancel();
  });

  it('fails with dns-timeout when the server never responds', async () => {
    const { resolver } = await resolverFor({ A: 'silence', AAAA: 'silence' }, 40);
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-timeout' });
  });

  it('fails with dns-refused when no server listens on the port', async () => {
    const resolver = await resolverForClosedPort();
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-refused' });
  });

  it.each([`${'a'.repeat(64)}.example`, 'a..example', `${'a.'.repeat(130)}example`])(
    'fails with dns-nxdomain for %j, which is too long or malformed for a query, without sending one',
    async (host) => {
      const { resolver, queries } = await resolverFor({ A: ['1.1.1.1'] });
      expect(await resolver.resolve(host)).toEqual({ ok: false, failure: 'dns-nxdomain' });
      expect(queries).toEqual([]);
    },
  );
});

describe('the availability of the DNS servers (isAnswering)', () => {
  it.each<[string, boolean, Zone]>([
    ['an empty answer', true, {}],
    ['NXDOMAIN', true, { rest: RCODE.NXDOMAIN }],
    ['REFUSED', false, { rest: RCODE.REFUSED }],
    ['SERVFAIL', true, { rest: RCODE.SERVFAIL }],
    ['silence', false, { rest: 'silence' }],
  ])('after %s is %j', async (_what, expected, zone) => {
    const { resolver } = await resolverFor(zone, zone.rest === 'silence' ? 40 : 5_000);
    expect(await resolver.isAnswering()).toBe(expected);
  });

  it('is false when no server listens', async () => {
    expect(await (await resolverForClosedPort()).isAnswering()).toBe(false);
  });
});

describe('the ability of the DNS servers to resolve names (canResolve)', () => {
  it.each<[string, boolean, Zone]>([
    ['an empty answer', true, {}],
    ['NXDOMAIN', false, { rest: RCODE.NXDOMAIN }],
    ['REFUSED', true, { rest: RCODE.REFUSED }],
    ['SERVFAIL', false, { rest: RCODE.SERVFAIL }],
    ['silence', false, { rest: 'silence' }],
  ])('after %s to every query is %j', async (_what, expected, zone) => {
    const { resolver } = await resolverFor(zone, zone.rest === 'silence' ? 40 : 5_000);
    expect(await resolver.canResolve()).toBe(expected);
  });
});

describe('cancel', () => {
  it('ends running look-ups and queries at once; later ones work', async () => {
    const zone: Zone = { A: 'silence', AAAA: 'silence', rest: 'silence' };
    const { resolver, queries } = await resolverFor(zone, 600_000);
    const resolutions = Promise.all([resolver.resolve('a.example'), resolver.resolve('b.example')]);
    const availability = resolver.isAnswering();
    // Two queries for each name, and one for the availability.
    await expect.poll(() => queries).toHaveLength(5);
    resolver.cancel();
    expect(await resolutions).toEqual([
      { ok: false, failure: 'dns-timeout' },
      { ok: false, failure: 'dns-timeout' },
    ]);
    expect(await availability).toBe(false);
    zone.A = ['1.1.1.1'];
    zone.AAAA = [];
    expect(await resolver.resolve('a.example')).toMatchObject({ ok: true });
  });

  it('does nothing without running look-ups', async () => {
    const { resolver } = await resolverFor({ A: ['1.1.1.1'] });
    resolver.cancel();
    expect(await resolver.resolve('a.example')).toMatchObject({ ok: true });
  });
});
