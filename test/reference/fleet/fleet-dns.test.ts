import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { Packet } from 'dns2';
import { describe, expect, it } from 'vitest';
import { createFleet, type Fleet } from '../../../src/reference/index.ts';

function resolverOf(fleet: Fleet, timeoutMs = 2000): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers([fleet.dnsServer]);
  return resolver;
}

async function startFleetOf(kind: string): Promise<{ fleet: Fleet; name: string }> {
  const fleet = await createFleet({ hosts: 1, mix: { [kind]: 1 } });
  return { fleet, name: fleet.hosts[0]?.domain.split(':')[0] ?? '' };
}

describe('the DNS server of a fleet', () => {
  it('resolves the names of the fleet in any case, to an IPv4 address and no IPv6 address', async () => {
    const { fleet, name } = await startFleetOf('loops');
    await using _ = fleet;
    const resolver = resolverOf(fleet);
    expect(await resolver.resolve4(name)).toEqual(['127.0.0.1']);
    expect(await resolver.resolve4(name.toUpperCase())).toEqual(['127.0.0.1']);
    await expect(resolver.resolve6(name)).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt(name)).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('answers NXDOMAIN for every other name, but not for the root', async () => {
    const { fleet } = await startFleetOf('loops');
    await using _ = fleet;
    await expect(resolverOf(fleet).resolveNs('.')).rejects.toMatchObject({ code: 'ENODATA' });
    for (const name of ['nobody.example', 'example', 'loops.video']) {
      await expect(resolverOf(fleet).resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    }
  });

  it.for([
    ['dns-nxdomain', 'ENOTFOUND'],
    ['dns-servfail', 'ESERVFAIL'],
    ['dns-refused', 'EREFUSED'],
    ['dns-no-address', 'ENODATA'],
  ] as const)('makes the lookup of a %s host fail with %s', async ([kind, code]) => {
    const { fleet, name } = await startFleetOf(kind);
    await using _ = fleet;
    await expect(resolverOf(fleet).resolve4(name)).rejects.toMatchObject({ code });
  });

  it('does not answer a query for a dns-silent host', async () => {
    const { fleet, name } = await startFleetOf('dns-silent');
    await using _ = fleet;
    await expect(resolverOf(fleet, 200).resolve4(name)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('returns private addresses, alone or together with the address of the fleet', async () => {
    const alone = await startFleetOf('address-private');
    const mixed = await startFleetOf('address-mixed');
    await using _ = alone.fleet;
    await using __ = mixed.fleet;
    expect(await resolverOf(alone.fleet).resolve4(alone.name)).toEqual(['10.0.0.1']);
    expect((await resolverOf(mixed.fleet).resolve4(mixed.name)).sort()).toEqual(['10.0.0.1', '127.0.0.1']);
  });

  it('answers over TCP on the same port', async () => {
    const { fleet, name } = await startFleetOf('loops');
    await using _ = fleet;
    const query = new Packet();
    const queryId = 4711;
    query.header.id = queryId;
    query.questions.push(new Packet.Question(name, Packet.TYPE.A, Packet.CLASS.IN));
    const message = query.toBuffer();
    const [host = '', port] = fleet.dnsServer.split(':');
    const answer = await new Promise<Packet>((resolve, reject) => {
      // Over TCP, each message follows its length in two bytes (RFC 1035 section 4.2.2).
      const socket = connect(Number(port), host, () => {
        socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]));
      });
      socket.on('error', reject);
      socket.once('data', (bytes: Buffer) => {
        socket.destroy();
        resolve(Packet.parse(bytes.subarray(2)));
      });
    });
    expect(answer.header.id).toBe(queryId);
    expect(answer.answers.map(({ address }) => address)).toEqual(['127.0.0.1']);
  });
});
