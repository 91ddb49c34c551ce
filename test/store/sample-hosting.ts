import { type Hosting, UNKNOWN_HOSTING } from '../../src/model/facts/hosting.ts';

const PLACES: readonly Partial<Hosting>[] = [
  { country: 'DE', asn: 64_500, network: 'First Host GmbH' },
  { country: 'DE', asn: 64_500, network: 'First Host GmbH' },
  { country: 'FI', asn: 64_500, network: 'First Host GmbH' },
  { country: 'FR', asn: 64_501, network: 'Second & Sons' },
  { asn: 13_335, network: 'Cloudflare, Inc.', behind: 'Cloudflare' },
  { country: 'JP' },
  {},
];

/** Where a sample instance is: some are unknown. */
export function sampleHosting(number: number): Hosting {
  return { ...UNKNOWN_HOSTING, ...PLACES[number % PLACES.length] };
}
