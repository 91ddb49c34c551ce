import ipaddr from 'ipaddr.js';
import { isExampleContact, type Settings } from './schema.ts';

/** `contact` is an example, so operators of visited servers could not reach the crawler's owner. */
class ContactError extends Error {
  override readonly name = 'ContactError';
  readonly kind = 'setting';
}

/** The settings file, for messages that say what to edit. */
export interface SettingsFile {
  path: string;
  exists: boolean;
}

/**
 * Refuses to crawl the real network while `contact` is an example. A crawl whose DNS servers are all on loopback addresses, and none of
 * them on port 53, visits only the user's own test hosts. On port 53 there may be a stub resolver, which resolves real names.
 *
 * @throws {ContactError}
 */
export function requireContact({ contact, network }: Pick<Settings, 'contact' | 'network'>, file?: SettingsFile): void {
  const isTestCrawl = network.dnsServers.length > 0 && network.dnsServers.every(isTestServer);
  if (!isExampleContact(contact) || isTestCrawl) return;
  const where =
    file === undefined ? '' : file.exists ? `in ${file.path}, ` : `write ${file.path} with loopscout init, or `;
  throw new ContactError(
    `contact is an example, ${contact}: ${where}set it to your https URL or mail address, so that operators of visited servers can reach you.`,
  );
}

/** @param server `ADDRESS[:PORT]`. */
function isTestServer(server: string): boolean {
  const {
    inBrackets,
    plain,
    port = '53',
  } = /^(?:\[(?<inBrackets>.+)\]|(?<plain>[\d.]+)):(?<port>\d+)$/.exec(server)?.groups ?? {};
  const address = inBrackets ?? plain ?? '';
  return Number(port) !== 53 && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
