import { createNetwork, parseDomains } from './app.ts';
import type { Domain } from './domain/domain.ts';
import type { Visit } from './record/visit.ts';
import { loadSettings, type Settings } from './settings.ts';

export { DomainsError } from './app.ts';
export type { Domain } from './domain/domain.ts';
export { hostOf, originOf, portOf } from './domain/domain.ts';
export { parseDomain } from './domain/parse-domain.ts';
export { CaFileError } from './http/tls-context.ts';
export { DomainState } from './record/domain-state.ts';
export { FieldNote, InstanceFacts, InstanceFlag } from './record/instance.ts';
export { REASONS, Reason } from './record/reason.ts';
export { Probe, Step } from './record/step.ts';
export { Verdict, Via } from './record/verdict.ts';
export type { DocumentKind, Visit } from './record/visit.ts';
export { SettingsError } from './settings.ts';
export { VERSION } from './version.ts';

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/** Settings as in `crawler.config.json`, as many of them as are to differ from the defaults. */
export type IdentifyOptions = DeepPartial<Pick<Settings, 'softwareId' | 'contact' | 'domains' | 'network' | 'robots'>>;

/**
 * Visits one domain, now, and says what it is. Whatever the host does is a verdict with a reason, never an exception.
 *
 * @param domain a host name, with a port if need be, or a URL or handle that names one.
 * @throws {DomainsError} when it is no domain that can be visited.
 * @throws {SettingsError} naming every wrong option.
 * @throws {CaFileError} when `network.caFile` cannot be used.
 */
export async function identify(domain: string, options: IdentifyOptions = {}): Promise<Visit> {
  const settings = loadSettings({ env: {}, flags: options, file: null });
  const [parsed] = parseDomains([domain], settings) as [Domain];
  const { identifier } = createNetwork(settings, { now: Date.now, clock: () => performance.now() });
  const resolved = await identifier.resolve(parsed);
  return 'verdict' in resolved ? resolved : identifier.identify(resolved);
}
