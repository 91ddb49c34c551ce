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

describe('check of the library', () => {
  it('returns a report that matches the published schema, with findings and client views', async () => {
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

  it('compares the version with the given newest version', async () => {
    const { domain, options } = await startFleet();
    const findingsFor = async (newestVersion: string | null) =>
      (await check(domain, { ...options, newestVersion })).findings.filter(({ detail }) => detail.includes('99.0.0'));
    expect(await findingsFor('99.0.0')).not.toEqual([]);
    expect(await findingsFor(null)).toEqual([]);
  });

  it('applies only the selected rules and areas', async () => {
    const { domain, options } = await startFleet();
    const { findings } = await check(domain, { ...options, only: ['config'] });
    expect(new Set(findings.map(({ area }) => area))).toEqual(new Set(['config']));
    await expect(check(domain, { ...options, skip: ['nothing'] })).rejects.toThrow(SelectionError);
  });

  it('accepts rules and areas as one string, and refuses other types with the expected form', async () => {
    const { domain, options } = await startFleet();
    const { findings } = await check(domain, { ...options, only: 'tls, config-json', skip: 'tls-alpn' });
    expect(new Set(findings.map(({ area }) => area))).toEqual(new Set(['tls', 'config']));
    expect(findings.map(({ id }) => id)).not.toContain('tls-alpn');
    const call = check as (...args: unknown[]) => Promise<unknown>;
    await expect(call(domain, { ...options, only: 7 })).rejects.toThrow(
      new TypeError("only is 7; it should be a list of rules or areas, such as ['tls']"),
    );
    for (const operation of [check, identify] as (typeof call)[])
      await expect(operation(undefined)).rejects.toThrow(/^the domain is undefined; it should be a string such as/);
  });

  it('names options, not command-line flags, in its errors', async () => {
    await expect(check('loops.example', { robots: 'none' as never })).rejects.toThrow(/^the options: robots is "none"/);
  });

  it('sends only the requests that the selected rules need', async () => {
    const { fleet, domain, options } = await startFleet();
    const requestsFor = async (only: string[]) => {
      const before = fleet.requests.count(domain);
      await check(domain, { ...options, only });
      return fleet.requests.count(domain) - before;
    };
    const [tls, robots, all] = [await requestsFor(['tls']), await requestsFor(['robots']), await requestsFor([])];
    expect(tls).toBeLessThanOrEqual(4);
    expect(robots).toBeGreaterThan(tls);
    expect(all).toBeGreaterThan(robots);
  });

  it('refuses an invalid domain or invalid options before any request', async () => {
    await expect(check('127.0.0.1')).rejects.toThrow(DomainsError);
    const invalid = { network: { allow: ['everything'] } };
    await expect(check('loops.example', invalid)).rejects.toThrow(SettingsError);
  });

  it('ends at once if its signal aborts', async () => {
    const { domain, options } = await startFleet();
    await expect(check(domain, { ...options, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    await expect(check(domain, { ...options, signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/i);
  });
});
