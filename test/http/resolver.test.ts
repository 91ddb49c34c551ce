import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Packet, UDPServer } from 'dns2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createResolver, type Resolver } from '../../src/http/resolver.ts';

const { TYPE, CLASS, RCODE } = Packet;

/** Per record type: addresses, an RCODE, or no answer at all. */
interface Zone {
  A?: string[] | number | 'silence';
  AAAA?: string[] | number | 'silence';
  /** How much later than the other AAAA or A is answered, in milliseconds. */
  lateBy?: { A?: number; AAAA?: number };
  /** Of everything else, such as the question whether the server answers. */
  rest?: number | 'silence';
}

/** A resolver with a name server of the test, and the queries that server received. */
async function resolverFor(
  zone: Zone,
  timeoutMs = 5_000,
  silentServers: readonly string[] = [],
): Promise<{ resolver: Resolver; questions: string[] }> {
  const questions: string[] = [];
  const server = new UDPServer();
  server.on('requestError', () => undefined);
  server.on('request', (request: Packet, send: (response: Packet) => unknown) => {
    const [question] = request.questions;
    if (question === undefined) return;
    questions.push(question.name);
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
    const late = question.type === TYPE.A ? zone.lateBy?.A : zone.lateBy?.AAAA;
    if (late === undefined) void send(response);
    else setTimeout(() => void send(response), late);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const servers = [...silentServers, `127.0.0.1:${server.address().port}`];
  return { resolver: createResolver({ servers, timeoutMs }), questions };
}

/** A name server that never answers. */
async function silentServer(): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return `127.0.0.1:${socket.address().port}`;
}

async function resolverOfDeadPort(): Promise<Resolver> {
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
    ['a v4-mapped address as the IPv4 address that it is', { AAAA: ['::ffff:101:101'] }, [['1.1.1.1', 4]]],
    ['IPv6 alone', { AAAA: ['2606:4700::1111'] }, [['2606:4700::1111', 6]]],
    ['one family when the other fails', { A: ['1.1.1.1'], AAAA: RCODE.SERVFAIL }, [['1.1.1.1', 4]]],
    ['addresses that are forbidden as well, which it does not judge', { A: ['127.0.0.1'] }, [['127.0.0.1', 4]]],
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
  ])('names the failure for %s', async (_what, zone, failure) => {
    const { resolver } = await resolverFor(zone);
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure });
  });

  it.each<[string, Zone, string]>([
    ['the addresses of one family when the other is never answered', { A: ['1.1.1.1'], AAAA: 'silence' }, '1.1.1.1'],
    ['NXDOMAIN when the other family is never answered', { A: RCODE.NXDOMAIN, AAAA: 'silence' }, 'dns-nxdomain'],
  ])('finds %s without waiting for all tries', async (_what, zone, expected) => {
    const { resolver } = await resolverFor(zone);
    const startedAt = performance.now();
    const resolution = await resolver.resolve('server.example');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(resolution.ok ? resolution.addresses[0].address : resolution.failure).toBe(expected);
    resolver.cancel();
  });

  it.each<[string, Zone]>([
    ['the answer about AAAA', { A: ['1.1.1.1'], AAAA: RCODE.NXDOMAIN, lateBy: { A: 60 } }],
    ['the answer about A', { A: RCODE.NXDOMAIN, AAAA: ['2606:4700::1111'], lateBy: { AAAA: 60 } }],
  ])('finds the addresses of a name although %s answered NXDOMAIN first', async (_which, zone) => {
    const { resolver } = await resolverFor(zone);
    expect(await resolver.resolve('server.example')).toMatchObject({ ok: true });
  });

  it('reports a time-out when one family never answers and the other has no data', async () => {
    const { resolver } = await resolverFor({ A: 'silence', AAAA: [] }, 200);
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-timeout' });
  });

  it('uses the third server when two are silent', async () => {
    const silent = await Promise.all([silentServer(), silentServer()]);
    const { resolver } = await resolverFor({ A: ['1.1.1.1'] }, 300, silent);
    expect(await resolver.resolve('server.example')).toMatchObject({ ok: true });
    resolver.cancel();
  });

  it('gives up on three silent servers after five time-outs, also in the availability test', async () => {
    const silent = await Promise.all([silentServer(), silentServer(), silentServer()]);
    const resolver = createResolver({ servers: silent, timeoutMs: 300 });
    const startedAt = performance.now();
    const results = await Promise.all([resolver.resolve('server.example'), resolver.answers(), resolver.resolves()]);
    expect(results).toEqual([{ ok: false, failure: 'dns-timeout' }, false, false]);
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    resolver.cancel();
  });

  it('reports a server that never answers within a few time-outs', async () => {
    const { resolver } = await resolverFor({ A: 'silence', AAAA: 'silence' }, 200);
    const startedAt = performance.now();
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-timeout' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('reports a port without a server', async () => {
    const resolver = await resolverOfDeadPort();
    expect(await resolver.resolve('server.example')).toEqual({ ok: false, failure: 'dns-refused' });
  });

  it.each([`${'a'.repeat(64)}.example`, 'a..example', `${'a.'.repeat(130)}example`])(
    'takes %j, which cannot be asked for, as a name that does not exist',
    async (host) => {
      const { resolver, questions } = await resolverFor({ A: ['1.1.1.1'] });
      expect(await resolver.resolve(host)).toEqual({ ok: false, failure: 'dns-nxdomain' });
      expect(questions).toEqual([]);
    },
  );
});

describe('answers', () => {
  it.each<[string, boolean, Zone]>([
    ['an empty answer', true, {}],
    ['NXDOMAIN', true, { rest: RCODE.NXDOMAIN }],
    ['REFUSED', false, { rest: RCODE.REFUSED }],
    ['SERVFAIL', true, { rest: RCODE.SERVFAIL }],
    ['silence', false, { rest: 'silence' }],
  ])('after %s of the server is %j', async (_what, expected, zone) => {
    const { resolver } = await resolverFor(zone, 200);
    expect(await resolver.answers()).toBe(expected);
  });

  it('is false when nothing listens', async () => {
    expect(await (await resolverOfDeadPort()).answers()).toBe(false);
  });
});

describe('resolves', () => {
  it.each<[string, boolean, Zone]>([
    ['an empty answer', true, {}],
    ['NXDOMAIN', true, { rest: RCODE.NXDOMAIN }],
    ['REFUSED', true, { rest: RCODE.REFUSED }],
    ['SERVFAIL', false, { rest: RCODE.SERVFAIL }],
    ['silence', false, { rest: 'silence' }],
  ])('after %s to every question is %j', async (_what, expected, zone) => {
    const { resolver } = await resolverFor(zone, 200);
    expect(await resolver.resolves()).toBe(expected);
  });
});

describe('cancel', () => {
  it('ends running look-ups and queries at once, and later ones work', async () => {
    const zone: Zone = { A: 'silence', AAAA: 'silence', rest: 'silence' };
    const { resolver, questions } = await resolverFor(zone, 60_000);
    const startedAt = performance.now();
    const resolutions = Promise.all([resolver.resolve('a.example'), resolver.resolve('b.example')]);
    const answers = resolver.answers();
    await vi.waitFor(() => expect(questions).toHaveLength(5));
    resolver.cancel();
    expect(await resolutions).toEqual([
      { ok: false, failure: 'dns-timeout' },
      { ok: false, failure: 'dns-timeout' },
    ]);
    expect(await answers).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    zone.A = ['1.1.1.1'];
    zone.AAAA = [];
    expect(await resolver.resolve('a.example')).toMatchObject({ ok: true });
  });

  it('without running look-ups does nothing', async () => {
    const { resolver } = await resolverFor({ A: ['1.1.1.1'] });
    resolver.cancel();
    expect(await resolver.resolve('a.example')).toMatchObject({ ok: true });
  });
});
