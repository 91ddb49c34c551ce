import ipaddr from 'ipaddr.js';
import { exampleContact, type Settings } from './schema.ts';

/** The crawl would visit other people's servers without saying whom they can turn to. */
export class ContactError extends Error {
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
