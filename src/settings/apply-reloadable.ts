import { isDeepStrictEqual } from 'node:util';
import ipaddr from 'ipaddr.js';
import { exampleContact, type Settings } from './schema.ts';

/** The crawl would visit other people's servers without saying whom they can turn to. */
class ContactError extends Error {
  override readonly name = 'ContactError';
  readonly kind = 'setting';
}

/**
 * Holds back a crawl of the real network as long as `contact` is the example. A crawl whose DNS servers are all on this
 * machine's loopback addresses, on another port than that of DNS, is taken for one of the user's own hosts. On port 53 a machine has
 * the stub or cache through which it asks for the names of the real network.
 *
 * @throws {ContactError}
 */
export function requireContact({ contact, network }: Pick<Settings, 'contact' | 'network'>): void {
  const isOwn = network.dnsServers.length > 0 && network.dnsServers.every(isForTests);
  if (contact !== exampleContact || isOwn) return;
  throw new ContactError(
    `contact is still the example, ${exampleContact}: set it to an https URL or a mail address of yours, so that those whose servers are visited can reach you.`,
  );
}

/** @param server `ADDRESS[:PORT]`. */
function isForTests(server: string): boolean {
  const {
    inBrackets,
    plain,
    port = '53',
  } = /^(?:\[(?<inBrackets>.+)\]|(?<plain>[\d.]+)):(?<port>\d+)$/.exec(server)?.groups ?? {};
  const address = inBrackets ?? plain ?? '';
  return Number(port) !== 53 && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

export interface SettingsChanges {
  /** Keys that changed and are in force now. */
  applied: string[];
  /** Keys that changed and are in force only after a restart. */
  needRestart: string[];
}

/** What of the settings has changed, by the keys of the file: `queue.concurrency`. */
export function settingsChanges(before: Settings, after: Settings): SettingsChanges {
  const inForce = applyReloadable(before, after);
  return { applied: changedKeys(before, inForce, ''), needRestart: changedKeys(inForce, after, '') };
}

/** The settings that a running service goes on with: what it takes on at once, or, of the queue, with the next pass. The rest stays. */
export function applyReloadable(before: Settings, after: Settings): Settings {
  return {
    ...before,
    cadence: after.cadence,
    retention: after.retention,
    flags: after.flags,
    sources: after.sources,
    optOut: after.optOut,
    jobs: after.jobs,
    log: after.log,
    queue: { ...after.queue, leaseSeconds: before.queue.leaseSeconds },
    service: after.service,
  };
}

function changedKeys(before: unknown, after: unknown, at: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isGroup(before) || !isGroup(after)) return [at];
  return Object.keys(after).flatMap((key) => changedKeys(before[key], after[key], at === '' ? key : `${at}.${key}`));
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
