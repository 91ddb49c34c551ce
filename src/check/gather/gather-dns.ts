import type { AddressGuard } from '../../http/address-guard.ts';
import type { DnsQuestions } from '../../http/dns-questions.ts';
import type { AddressAnswer, DnsEvidence } from '../evidence.ts';

/** Asks for the addresses of a name, each family by itself, and for its CAA records; never rejects. */
export async function gatherDns(name: string, questions: DnsQuestions, guard: AddressGuard): Promise<DnsEvidence> {
  const [ipv4, ipv6, caa] = await Promise.all([
    addressesOf(name, 4, questions, guard),
    addressesOf(name, 6, questions, guard),
    caaFor(name, questions),
  ]);
  return { name, ipv4, ipv6, caa };
}

async function addressesOf(
  name: string,
  family: 4 | 6,
  questions: DnsQuestions,
  guard: AddressGuard,
): Promise<AddressAnswer> {
  const answer = await questions.addresses(name, family);
  if (typeof answer === 'string') return { addresses: [], failure: answer, forbidden: [] };
  const forbidden = answer.flatMap((address) => {
    const row = guard(address);
    return row === null ? [] : [{ address, what: row.what, source: row.source }];
  });
  return { addresses: answer, failure: null, forbidden };
}

/**
 * The records that hold for a name (RFC 8659 section 3): its own, or else those of the nearest name above it that has any. None
 * hold where no name has any.
 */
async function caaFor(host: string, questions: DnsQuestions): Promise<DnsEvidence['caa']> {
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1 || name.length)) {
    const records = await questions.caa(name);
    if (records === 'dns-no-address' || records === 'dns-nxdomain') continue;
    if (typeof records === 'string') return null;
    if (records.length > 0) return { name, records };
  }
  return { name: host, records: [] };
}
