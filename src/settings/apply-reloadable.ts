import { isDeepStrictEqual } from 'node:util';
import ipaddr from 'ipaddr.js';
import { exampleContact, type Settings } from './schema.ts';

/** `contact` is still the example, so operators of visited servers could not reach the crawler's owner. */
class ContactError extends Error {
  override readonly name = 'ContactError';
  readonly kind = 'setting';
}

/**
 * Refuses to crawl the real network while `contact` is the example. If all DNS servers are on loopback addresses and not on port 53, the
 * crawl is one of the user's own test hosts. On port 53 there may be a stub resolver, which resolves real names.
 *
 * @throws {ContactError}
 */
export function requireContact({ contact, network }: Pick<Settings, 'contact' | 'network'>): void {
  const isOwn = network.dnsServers.length > 0 && network.dnsServers.every(isForTests);
  if (contact !== exampleContact || isOwn) return;
  throw new ContactError(
    `contact is still the example, ${exampleContact}: set it to your https URL or mail address, so that operators of visited servers can reach you.`,
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
  /** Changed keys that are in force now. */
  applied: string[];
  /** Changed keys that need a restart. */
  needRestart: string[];
}

/** The changed settings, by their keys in the file, such as `queue.concurrency`. */
export function settingsChanges(before: Settings, after: Settings): SettingsChanges {
  const inForce = applyReloadable(before, after);
  return { applied: changedKeys(before, inForce, ''), needRestart: changedKeys(inForce, after, '') };
}

/** Replaces the settings that can change without a restart; those of the queue take effect with the next pass. */
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
