import { describe, expect, it, onTestFinished } from 'vitest';
import { check, DomainsError, identify, Report, SelectionError, SettingsError } from '../../src/index.ts';
import { createFleet, type Fleet } from '../../src/reference/index.ts';

async function startFleet(): Promise<{ fleet: Fleet; domain: string; options: object }> {
  const fleet = await createFleet({ file: { hosts: [{ kind: 'loops', name: 'clips.example' }] } });
  onTestFinished(() => fleet.close());
  const network = { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile };
  return {
    fleet,
    domain: `clips.example:${fleet.port}`,
    options: { domains: { allowSuffixes: ['example'] }, network },
  };
}

describe('check, as the library has it', () => {
  it('reports on a server by the schema that is published, with the rules and the views of clients', async () => {
    const { fleet, domain, options } = await startFleet();
    const report = await check(domain, options);
    expect(Report.parse(report)).toEqual(report);
    expect(report).toMatchObject({ domain, verdict: 'loops', tool: expect.stringMatching(/^Loopscout \d/) });
    expect(report.findings.length).toBeGreaterThan(50);
    expect(new Set(report.clients.map(({ client }) => client)).size).toBe(4);
    expect(report.requests).toBe(fleet.requests.count(domain));
    const { userAgent } = fleet.requests.recent[0] ?? {};
    expect(userAgent).toMatch(/^Loopscout\/\S+ \(\+\S+\)$/);
  });

  it('holds the version against the newest one that it is told', async () => {
    const { domain, options } = await startFleet();
    const ofVersion = async (newestVersion: string | null) =>
      (await check(domain, { ...options, newestVersion })).findings.filter(({ detail }) => detail.includes('99.0.0'));
    expect(await ofVersion('99.0.0')).not.toEqual([]);
    expect(await ofVersion(null)).toEqual([]);
  });

  it('judges by the rules and areas that are named', async () => {
    const { domain, options } = await startFleet();
    const { findings } = await check(domain, { ...options, only: ['config'] });
    expect(new Set(findings.map(({ area }) => area))).toEqual(new Set(['config']));
    await expect(check(domain, { ...options, skip: ['nothing'] })).rejects.toThrow(SelectionError);
  });

  it('takes rules and areas as one text too, and says so of what is neither', async () => {
    const { domain, options } = await startFleet();
    const { findings } = await check(domain, { ...options, only: 'tls, config-json', skip: 'tls-alpn' });
    expect(new Set(findings.map(({ area }) => area))).toEqual(new Set(['tls', 'config']));
    expect(findings.map(({ id }) => id)).not.toContain('tls-alpn');
    const call = check as (...given: unknown[]) => Promise<unknown>;
    await expect(call(domain, { ...options, only: 7 })).rejects.toThrow(
      new TypeError("only is 7; it should be a list of rules or areas, such as ['tls']"),
    );
    for (const ask of [check, identify] as (typeof call)[])
      await expect(ask(undefined)).rejects.toThrow(/^the domain is undefined; it should be a text such as/);
  });

  it('speaks of options and not of a command line', async () => {
    await expect(check('loops.example', { robots: 'none' as never })).rejects.toThrow(/^the options: robots is "none"/);
  });

  it('sends no request that the rules that were chosen do not need', async () => {
    const { fleet, domain, options } = await startFleet();
    const sent = async (only: string[]) => {
      const before = fleet.requests.count(domain);
      await check(domain, { ...options, only });
      return fleet.requests.count(domain) - before;
    };
    const [tls, robots, all] = [await sent(['tls']), await sent(['robots']), await sent([])];
    expect(tls).toBeLessThanOrEqual(4);
    expect(robots).toBeGreaterThan(tls);
    expect(all).toBeGreaterThan(robots);
  });

  it('refuses what is no domain, and options that there are not, before anything is sent', async () => {
    await expect(check('127.0.0.1')).rejects.toThrow(DomainsError);
    const wrong = { network: { allow: ['everything'] } };
    await expect(check('loops.example', wrong)).rejects.toThrow(SettingsError);
  });

  it('ends at once with its signal', async () => {
    const { domain, options } = await startFleet();
    await expect(check(domain, { ...options, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    await expect(check(domain, { ...options, signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/i);
  });
});
