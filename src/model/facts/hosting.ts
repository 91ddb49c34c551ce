import { z } from 'zod';
import { leaf } from './instance-facts.ts';

/** What the address of a host tells about where it is. It is looked up in local files; no server reports it. Null is unknown. */
export const Hosting = z.object({
  country: leaf(z.string().nullable(), {
    label: 'country',
    meaning: 'Country of the address that the host answered at, ISO 3166-1 alpha-2',
    whenNull: 'when unknown, without a database of countries, and behind a content network',
    history: 'value',
    statistics: 'names',
  }),
  asn: leaf(z.number().int().nonnegative().nullable(), {
    label: 'AS number',
    meaning: 'Number of the autonomous system (network) that announces the address',
    whenNull: 'when unknown, and without a database of networks',
    history: 'value',
  }),
  network: leaf(z.string().nullable(), {
    label: 'network',
    meaning: 'Name of that autonomous system',
    whenNull: 'when unknown, and without a database of networks',
    history: 'value',
    statistics: 'names',
  }),
  behind: leaf(z.string().nullable(), {
    label: 'content network',
    meaning: 'Content network that answers in place of the host: the address is in its published ranges',
    whenNull: 'when none is known',
    history: 'value',
    statistics: 'names',
  }),
});
export type Hosting = z.infer<typeof Hosting>;

export const UNKNOWN_HOSTING: Readonly<Hosting> = { country: null, asn: null, network: null, behind: null };
