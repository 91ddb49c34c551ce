import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Packet, UDPServer } from 'dns2';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createAddressGuard, FORBIDDEN_RANGES } from '../../src/http/address-guard.ts';
import type { Connector } from '../../src/http/connect-tcp.ts';
import { createResolver, type HostAddress, type Resolver } from '../../src/http/resolver.ts';
import { createHttp } from '../../src/http/visit-client.ts';
import { createIdentifier } from '../../src/identify/identifier.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { certificates } from '../http/loopback.ts';
import { listen } from '../serve-http.ts';
import { CONFIG, DISCOVERY, domainOf, ROBOTS } from './scripted-visit.ts';
import { visitContext } from './visit-context.ts';

const PUBLIC = '93.184.215.14';
const NODEINFO_REL = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** The first, a middle and the last address of every forbidden range; IPv4 addresses also embedded in IPv6. */
const addresses = FORBIDDEN_RANGES.flatMap(({ cidr }) => {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const size = network.toByteArray().length * 8 - bits;
  /** The address of the range in which exactly the host bits that satisfy `isSet` are 1. Bit 0 is the least significant. */
  const addressWith = (isSet: (bit: number) => boolean) => {
    const bytes = network.toByteArray();
    for (let bit = 0; bit < size; bit += 1) {
      const index = bytes.length - 1 - (bit >> 3);
      if (isSet(bit)) bytes[index] = (bytes[index] ?? 0) | (1 << (bit & 7));
    }
    return ipaddr.fromByteArray(bytes).toString();
  };
  const samples = [
    ...new Set([addressWith(() => false), addressWith((bit) => bit % 3 === 0), addressWith(() => true)]),
  ];
  if (network.kind() === 'ipv6') return samples.map((address) => ({ cidr, address }));
  const withEmbedded = samples.flatMap((address) => [
    address,
    `::ffff:${address}`,
    `64:ff9b::${address}`,
    `::${address}`,
  ]);
  return withEmbedded.map((address) => ({ cidr, address: ipaddr.parse(address).toString() }));
});

const familyOf = (address: string) => (address.includes(':') ? 6 : 4);
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** The address of every connection attempt. Only {@link PUBLIC}, the address of the visited host, reaches a server. */
let dialled: string[] = [];
let listening: Awaited<ReturnType<typeof listen>>;
const connector: Connector = (to) => {
  const addresses = to.map(({ address }) => address);
  dialled.push(...addresses);
  if (addresses.every((address) => address === PUBLIC)) return connect({ host: '127.0.0.1', port: listening.port });
  return new Socket().destroy(new Error(`${addresses} was dialled`));
};

/** The responses of the visited host, by path. */
let replies: Record<string, { status: number; location?: string; body?: string }> = {};
const server = createServer(
  { SNICallback: (name, done) => done(null, certificates.contextFor(name, undefined)) },
  (request, response) => {
    const { status, location, body } = replies[request.url ?? ''] ?? { status: 404 };
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  },
);
/** Names with a CNAME to `inside.example`, each with the address that `inside.example` then resolves to. */
const aliases = new Map<string, string>();
const nameServer = new UDPServer();

beforeAll(async () => {
  listening = await listen(server);
  nameServer.on('request', (request: Packet, send: (response: Packet) => unknown) => {
    const response = Packet.createResponseFromRequest(request);
    const [question] = request.questions;
    const address = aliases.get(question?.name ?? '');
    if (question !== undefined && address !== undefined) {
      const { A, AAAA, CNAME } = Packet.TYPE;
      const common = { class: Packet.CLASS.IN, ttl: 60 };
      response.answers.push({ ...common, name: question.name, type: CNAME, domain: 'inside.example' } as never);
      if (question.type === (familyOf(address) === 6 ? AAAA : A)) {
        response.answers.push({ ...common, name: 'inside.example', type: question.type, address } as never);
      }
    }
    void send(response);
  });
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
});
afterAll(async () => {
  await listening[Symbol.asyncDispose]();
  nameServer.close();
});

const secureContext = createSecureContext({ ca: certificates.authority });
const nothingResolves: Resolver = {
  resolve: async () => ({ ok: false, failure: 'dns-nxdomain' }),
  isAnswering: async () => true,
  canResolve: async () => true,
  cancel: () => undefined,
};
const resolvedTo = (...texts: [string, ...string[]]) => {
  const [first, ...rest] = texts.map((address): HostAddress => ({ address, family: familyOf(address) }));
  return {
    ok: true as const,
    addresses: [first as HostAddress, ...rest] as [HostAddress, ...HostAddress[]],
    ttlSeconds: 0,
  };
};

/** A complete visit to `server.example`, with no forbidden range exempted. */
async function visit(resolve: Resolver['resolve']): Promise<Visit> {
  const guard = createAddressGuard([]);
  const resolver = { ...nothingResolves, resolve };
  const identifier = createIdentifier({
    resolver,
    guard,
    openClient: createHttp({
      secureContext,
      guard,
      resolver,
      userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
      connectMs: 5_000,
      responseMs: 5_000,
      visitMs: 10_000,
      maxBodyBytes: 262_144,
      clock: () => performance.now(),
      connector,
    }),
    clock: () => performance.now(),
    now: Date.now,
  });
  dialled = [];
  const resolved = await identifier.resolve(domainOf('server.example'));
  return 'verdict' in resolved ? resolved : identifier.identify(resolved, visitContext());
}

/** Resolves `inside.example` to the given address, and every other name to the public one. */
const inside = (address: string): Resolver['resolve'] => {
  return async (host) => (host === 'inside.example' ? resolvedTo(address) : resolvedTo(PUBLIC));
};
const discovery = (href: string) => ({ status: 200, body: JSON.stringify({ links: [{ rel: NODEINFO_REL, href }] }) });

/** The ways in which a hostile operator could reach the internal network, each with the expected reason of the visit. */
const ways: Record<string, { visitVia: (address: string) => Promise<Visit>; reason: string }> = {
  'the name itself': {
    visitVia: (address) => visit(async () => resolvedTo(address)),
    reason: 'forbidden-address',
  },
  'one of several addresses of the name': {
    visitVia: (address) => visit(async () => resolvedTo(PUBLIC, address)),
    reason: 'forbidden-address',
  },
  'a CNAME': {
    visitVia: async (address) => {
      aliases.set('server.example', address);
      const { port: dnsPort } = nameServer.address();
      const dns = createResolver({ servers: [`127.0.0.1:${dnsPort}`], timeoutMs: 2_000 });
      return visit((host) => dns.resolve(host));
    },
    reason: 'forbidden-address',
  },
  'a second look-up that answers differently': {
    visitVia: (address) => {
      let lookups = 0;
      replies = { [DISCOVERY]: discovery('https://server.example/n') };
      return visit(async () => (lookups++ === 0 ? resolvedTo(PUBLIC) : resolvedTo(address)));
    },
    reason: 'href-dead',
  },
  'a redirect to a name': {
    visitVia: (address) => {
      const away = { status: 302, location: 'https://inside.example/' };
      replies = { [CONFIG]: away, [DISCOVERY]: away };
      return visit(inside(address));
    },
    // A redirect to another host is not followed. The target is a candidate, whose address is judged when it is visited.
    reason: 'redirected',
  },
  'a redirect to the address': {
    visitVia: (address) => {
      const away = { status: 302, location: `https://${inUrl(address)}/` };
      replies = { [CONFIG]: away, [DISCOVERY]: away };
      return visit(inside(address));
    },
    reason: 'redirect-refused',
  },
  'an href with a name': {
    visitVia: (address) => {
      replies = { [DISCOVERY]: discovery('https://inside.example/n') };
      return visit(inside(address));
    },
    reason: 'forbidden-address',
  },
  'an href with the address': {
    visitVia: (address) => {
      replies = { [DISCOVERY]: discovery(`https://${inUrl(address)}/n`) };
      return visit(inside(address));
    },
    reason: 'forbidden-address',
  },
  'a redirect of robots.txt to a name': {
    visitVia: (address) => {
      replies = { [ROBOTS]: { status: 301, location: 'https://inside.example/robots.txt' } };
      return visit(inside(address));
    },
    reason: 'forbidden-address',
  },
  'a redirect of robots.txt to the address': {
    visitVia: (address) => {
      replies = { [ROBOTS]: { status: 301, location: `https://${inUrl(address)}/robots.txt` } };
      return visit(inside(address));
    },
    reason: 'no-nodeinfo',
  },
};

/** Every `step`-th item. The ways start at different indices, so that together they cover every address. */
const everyNth = <Item>(items: readonly Item[], step: number, from: number) =>
  items.filter((_, index) => index % step === from % step);

test('the table of addresses covers every range, and the guard forbids each address', () => {
  expect(new Set(addresses.map(({ cidr }) => cidr)).size).toBe(FORBIDDEN_RANGES.length);
  const guard = createAddressGuard([]);
  expect(addresses.filter(({ address }) => guard(address) === null)).toEqual([]);
  expect(addresses.length * Object.keys(ways).length).toBeGreaterThan(1_900);
});

describe(`no connection to a forbidden address (${addresses.length} addresses) is opened by`, () => {
  it.each(Object.entries(ways))('%s', async (way, { visitVia, reason }) => {
    const violations: unknown[] = [];
    for (const { cidr, address } of everyNth(addresses, 10, Object.keys(ways).indexOf(way))) {
      replies = {};
      const { reason: actual } = await visitVia(address);
      const opened = dialled.filter((to) => to !== PUBLIC);
      if (opened.length > 0 || actual !== reason) violations.push({ cidr, address, opened, actual });
    }
    expect(violations).toEqual([]);
  });
});

describe('a literal address', () => {
  /** The notations that URL parsers accept, and some that only other programs accept. */
  const notations = (address: string): string[] => {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.parse(address).toByteArray();
    const integer = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    const hex = (part: number) => `0x${part.toString(16)}`;
    const octal = (part: number) => `0${part.toString(8)}`;
    return [
      address,
      `${address}.`,
      `${integer}`,
      hex(integer),
      octal(integer),
      [a, b, c, d].map(hex).join('.'),
      [a, b, c, d].map(octal).join('.'),
      `${a}.${b}.${(c << 8) | d}`,
      `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
      `[::ffff:${address}]`,
      `[64:ff9b::${address}]`,
      `[::${address}]`,
    ];
  };
  const literals = addresses.flatMap(({ address }) =>
    familyOf(address) === 4
      ? notations(address)
      : [`[${address}]`, address, `[${address}%25eth0]`, `[${address}%eth0]`],
  );

  it(`is not a domain in any notation, bare or in a URL (${literals.length} notations)`, () => {
    const accepted = literals
      .flatMap((literal) => [literal, `https://${literal}/`, `http://user@${literal}:8443/x`, `${literal}:443`])
      .filter((text) => parseDomain(text, { allowSuffixes: ['example'] }).ok);
    expect(accepted).toEqual([]);
  });

  it('is not connected to when an href names it in any notation', async () => {
    const reasons = new Set<string>();
    // 11 is coprime to the 12 and 4 notations per address, so every notation is tried.
    for (const literal of everyNth(literals, 11, 0)) {
      replies = { [DISCOVERY]: discovery(`https://${literal}/n`) };
      const { reason } = await visit(async (host) =>
        host === 'server.example' ? resolvedTo(PUBLIC) : nothingResolves.resolve(host),
      );
      expect(dialled.filter((to) => to !== PUBLIC)).toEqual([]);
      reasons.add(reason);
    }
    // An href with a zone id, or with an IPv6 address without brackets, is not a URL.
    expect([...reasons].sort()).toEqual(['forbidden-address', 'href-invalid']);
  });
});
