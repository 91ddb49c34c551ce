import { configPath, discoveryPath, type Kind, noSoftware, onConfig } from '../kind.ts';
import { json, loopsState, nodeInfo, nodeInfoPages, text } from '../site.ts';

const tooManyRequests = { message: 'Too many requests', retry_after: 3600 };

/** Hosts with the verdict `declined`: they ask not to be visited, or have an address that must not be visited. */
export const declinedKinds: Kind[] = [
  {
    name: 'gone',
    imitates: 'a server that was closed permanently and answers 410 to everything',
    expect: noSoftware('declined', 'gone'),
    weight: 2,
    site: () => ({ fallback: json({ message: 'Gone.' }, 410) }),
  },
  {
    name: 'rate-limited',
    imitates: 'a Loops server that answers config with 429 and Retry-After in seconds',
    expect: noSoftware('declined', 'rate-limited'),
    site: (host) => ({
      state: loopsState(host),
      pages: { [configPath]: json(tooManyRequests, 429, { 'retry-after': '3600' }) },
    }),
  },
  {
    name: 'rate-limited-until',
    imitates: 'a Loops server that answers config with 429 and Retry-After as a date',
    expect: noSoftware('declined', 'rate-limited'),
    site: (host) => ({
      state: loopsState(host),
      pages: { [configPath]: json(tooManyRequests, 429, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }) },
    }),
  },
  ...(
    [
      ['rate-limited-until-rfc850', 'Retry-After as a date in the form of RFC 850', 'rfc850-date'],
      ['rate-limited-until-asctime', 'Retry-After as a date in the form of asctime', 'asctime-date'],
      ['rate-limited-until-past', 'Retry-After as a date that has passed', 'past-date'],
      ['rate-limited-zero', 'Retry-After: 0', 0],
      ['rate-limited-negative', 'a negative Retry-After', 'negative'],
      ['rate-limited-fraction', 'a fraction of a second as Retry-After', 'fractional'],
      ['rate-limited-huge', 'Retry-After as a number of thirty digits', 'huge'],
      ['rate-limited-soon', 'a word as Retry-After', 'garbage'],
      ['rate-limited-empty', 'an empty Retry-After', 'empty'],
      ['rate-limited-unsaid', 'no Retry-After', 'missing'],
    ] as const
  ).map(
    ([name, description, retryAfter]): Kind => ({
      name,
      imitates: `a Loops server that answers config with 429 and ${description}`,
      expect: noSoftware('declined', 'rate-limited'),
      site: (host) => ({ state: loopsState(host), faults: onConfig({ fault: 'rate-limited', retryAfter }) }),
    }),
  ),
  {
    name: 'rate-limited-nodeinfo',
    imitates: 'a server without config that answers NodeInfo with 429',
    expect: noSoftware('declined', 'rate-limited'),
    site: () => ({ faults: [{ route: discoveryPath, fault: 'rate-limited' }] }),
  },
  {
    name: 'robots-forbids-us',
    imitates: 'a Loops server whose robots.txt forbids everything to Loopscout by name',
    expect: noSoftware('declined', 'robots-forbidden'),
    site: (host) => ({ state: loopsState(host, { robots: 'User-agent: Loopscout\nDisallow: /\n' }) }),
  },
  {
    name: 'robots-forbids-nodeinfo',
    imitates: 'a server without config whose robots.txt forbids everything to everyone',
    expect: noSoftware('declined', 'robots-forbidden'),
    site: (host) => ({
      pages: {
        ...nodeInfoPages(host, nodeInfo('mastodon', '4.5.2')),
        '/robots.txt': text('User-agent: *\nDisallow: /\n'),
      },
    }),
  },
  {
    name: 'address-private',
    imitates: 'a name that resolves to 10.0.0.1',
    expect: noSoftware('declined', 'forbidden-address'),
    dns: 'private-address',
  },
  {
    name: 'address-mixed',
    imitates: 'a name that resolves to a good address and to 10.0.0.1',
    expect: noSoftware('declined', 'forbidden-address'),
    dns: 'mixed-addresses',
    site: (host) => ({ state: loopsState(host) }),
  },
];
