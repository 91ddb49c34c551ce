import { inspect } from 'node:util';
import { checkDomain } from './app/check.ts';
import { createNetwork, visitContextOf } from './app/network.ts';
import type { Report } from './check/report.ts';
import type { Domain } from './model/domain/domain.ts';
import type { Visit } from './model/visit.ts';
import { parseDomains } from './settings/parse-domains.ts';
import { loadSettings, type Settings } from './settings/settings.ts';

export { ClientView, Finding, Report } from './check/report.ts';
export { AREAS, type Area } from './check/rule.ts';
export { SelectionError } from './check/rules.ts';
export { ChangeLine } from './directory/schema/change-line.ts';
export { DomainCounts, DomainLine } from './directory/schema/domain-line.ts';
export { SCHEMA_VERSION } from './directory/schema/fields.ts';
export { InstanceEntry } from './directory/schema/instance-entry.ts';
export {
  InstanceChoice,
  InstanceCounts,
  InstanceRow,
  InstancesFile,
  InstancesMinFile,
} from './directory/schema/instances-file.ts';
export { StatsFile, StatsPoint } from './directory/schema/stats-file.ts';
export { Manifest, ManifestFile } from './export/schema/manifest.ts';
export { UsageLine } from './export/schema/usage-line.ts';
export { VisitLine } from './export/schema/visit-line.ts';
export { CaFileError } from './http/tls-context.ts';
export type { Domain } from './model/domain/domain.ts';
export { hostOf, originOf, portOf } from './model/domain/domain.ts';
export { parseDomain } from './model/domain/parse-domain.ts';
export { DomainState } from './model/domain-record.ts';
export { FieldNote, InstanceFacts, InstanceFlag } from './model/facts/instance-facts.ts';
export { REASONS, Reason } from './model/reason.ts';
export { Probe, Step } from './model/step.ts';
export { Verdict, Via } from './model/verdict.ts';
export type { DocumentKind, Visit } from './model/visit.ts';
export * from './read.ts';
export { Severity } from './report/severity.ts';
export { DomainsError } from './settings/parse-domains.ts';
export { SettingsError } from './settings/settings.ts';
export { VERSION } from './version.ts';

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/** Settings as in `crawler.config.json`; omitted ones have their defaults. */
export type IdentifyOptions = DeepPartial<Pick<Settings, 'softwareId' | 'contact' | 'domains' | 'network' | 'robots'>>;

/**
 * Visits one domain now and identifies it. Faults of the host are verdicts with a reason, never exceptions.
 *
 * @param domain a host name with an optional port, or a URL or handle that contains one.
 * @throws {TypeError} when the domain is not a string.
 * @throws {DomainsError} when the domain cannot be visited.
 * @throws {SettingsError} naming every wrong option.
 * @throws {CaFileError} when `network.caFile` cannot be used.
 */
export async function identify(domain: string, options: IdentifyOptions = {}): Promise<Visit> {
  assertDomainText(domain);
  const settings = loadSettings({ env: {}, flags: options, file: null });
  const [parsed] = parseDomains([domain], settings) as [Domain];
  const { identifier } = createNetwork(settings, { now: Date.now, clock: () => performance.now() });
  const resolved = await identifier.resolve(parsed);
  return 'verdict' in resolved ? resolved : identifier.identify(resolved, visitContextOf(settings));
}

export interface CheckOptions extends IdentifyOptions {
  /** Ids of rules, or areas, to check, as a list or comma-separated: `'tls,config-cors'`. Default: all. */
  only?: string | readonly string[] | undefined;
  /** Ids of rules, or areas, to leave out. */
  skip?: string | readonly string[] | undefined;
  /** The newest release of the software, to detect outdated servers. Default: null, unknown. */
  newestVersion?: string | null | undefined;
  /** Aborts the check. */
  signal?: AbortSignal | undefined;
}

/**
 * Checks one server now: what a directory would show, what other clients see, and problems with cures. Takes at most 60 seconds and
 * 40 requests, usually 0.3 to 3 seconds and about 26 requests. Faults of the server are findings, never exceptions.
 *
 * @param domain a host name with an optional port, or a URL or handle that contains one.
 * @throws {TypeError} when the domain, `only` or `skip` is of a wrong type.
 * @throws {DomainsError} when the domain cannot be visited.
 * @throws {SettingsError} naming every wrong option.
 * @throws {SelectionError} when `only` or `skip` names neither a rule nor an area.
 * @throws {CaFileError} when `network.caFile` cannot be used.
 * @throws the reason of `signal` when that aborts.
 */
export async function check(domain: string, options: CheckOptions = {}): Promise<Report> {
  assertDomainText(domain);
  const { only, skip, newestVersion, signal, ...flags } = options;
  const selection = { only: wordsOf('only', only), skip: wordsOf('skip', skip) };
  const settings = loadSettings({ env: {}, flags, file: null });
  const [parsed] = parseDomains([domain], settings) as [Domain];
  return checkDomain(settings, parsed, { ...selection, newestVersion, signal });
}

/** Gives callers without types a clear error. */
function assertDomainText(domain: unknown): void {
  if (typeof domain !== 'string')
    throw new TypeError(`the domain is ${inspect(domain)}; it should be a string such as 'loops.example'`);
}

function wordsOf(name: string, words: unknown): string[] | undefined {
  if (words === undefined) return undefined;
  if (typeof words === 'string') return words.split(/[\s,]+/).filter((word) => word !== '');
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new TypeError(`${name} is ${inspect(words)}; it should be a list of rules or areas, such as ['tls']`);
}
