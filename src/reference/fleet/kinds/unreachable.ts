import { type KindsByName, noSoftware, onEveryProbe } from '../kind.ts';
import { html, json, loopsState } from '../site.ts';

const noRobots = { '/robots.txt': html('', 404) };

/** Hosts that give no usable answer. */
export const unreachableKinds: KindsByName = {
  'http-500': {
    imitates: 'a server that answers 500 to everything but robots.txt',
    expect: noSoftware('unreachable', 'http-5xx'),
    weight: 2,
    site: () => ({ pages: noRobots, fallback: json({ message: 'Server Error' }, 500) }),
  },
  'http-502': {
    imitates: 'a proxy with nothing behind it: 502 to everything but robots.txt',
    expect: noSoftware('unreachable', 'http-5xx'),
    weight: 2,
    site: () => ({ pages: noRobots, fallback: html('<h1>502 Bad Gateway</h1>', 502) }),
  },
  'http-503-everywhere': {
    imitates: 'a server under maintenance: 503 to anything, robots.txt too',
    expect: noSoftware('unreachable', null),
    site: () => ({ fallback: html('<h1>Be right back</h1>', 503) }),
  },
  'robots-500': {
    imitates: 'a Loops server whose robots.txt alone answers 500',
    expect: noSoftware('unreachable', 'robots-unreachable'),
    site: (host) => ({ state: loopsState(host), pages: { '/robots.txt': html('', 500) } }),
  },
  'robots-reset': {
    imitates: 'a Loops server that resets the connection at robots.txt alone',
    expect: noSoftware('unreachable', 'robots-unreachable'),
    site: (host) => ({ state: loopsState(host), faults: [{ route: '/robots.txt', fault: 'reset' }] }),
  },
  'robots-truncated': {
    imitates: 'a Loops server whose robots.txt alone is shorter than its Content-Length',
    expect: noSoftware('unreachable', 'robots-unreachable'),
    site: (host) => ({
      state: loopsState(host, { profile: 'live' }),
      faults: [{ route: '/robots.txt', fault: 'truncated' }],
    }),
  },
  'connection-refused': {
    imitates: 'a host with nothing behind its port',
    expect: noSoftware('unreachable', 'connect-refused'),
    weight: 2,
    connection: 'closed-port',
  },
  'reset-on-connect': {
    imitates: 'a host that resets every connection before TLS is up',
    expect: noSoftware('unreachable', null),
    connection: 'reset',
  },
  'reset-on-request': {
    imitates: 'a host that resets the connection at every request except for robots.txt',
    expect: noSoftware('unreachable', 'connection-reset'),
    site: () => ({ faults: onEveryProbe({ fault: 'reset' }) }),
  },
  'closed-on-request': {
    imitates: 'a host that closes the connection at every request except for robots.txt',
    expect: noSoftware('unreachable', 'connection-reset'),
    site: () => ({ faults: onEveryProbe({ fault: 'close' }) }),
  },
  truncated: {
    imitates: 'a Loops server whose answers are all shorter than their Content-Length, except for robots.txt',
    expect: noSoftware('unreachable', 'connection-reset'),
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'truncated' }) }),
  },
  'length-not-a-number': {
    imitates: 'a Loops server whose answers all have a word as their Content-Length, except for robots.txt',
    expect: noSoftware('unreachable', 'invalid-http'),
    site: (host) => ({
      state: loopsState(host),
      faults: onEveryProbe({ fault: 'wrong-length', value: 'unknown' }),
    }),
  },
  'not-http': {
    imitates: 'a host that answers with something other than HTTP, except for robots.txt',
    expect: noSoftware('unreachable', 'invalid-http'),
    site: () => ({ faults: onEveryProbe({ fault: 'not-http' }) }),
  },
  'tls-not-spoken': {
    imitates: 'a host that speaks plain HTTP where TLS belongs',
    expect: noSoftware('unreachable', 'tls-failed'),
    connection: 'not-tls',
  },
  'tls-expired': {
    imitates: 'a Loops server whose certificate has expired',
    expect: noSoftware('unreachable', 'tls-expired'),
    certificate: 'expired',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-not-yet-valid': {
    imitates: 'a Loops server whose certificate becomes valid next month',
    expect: noSoftware('unreachable', 'tls-expired'),
    certificate: 'not-yet-valid',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-wrong-name': {
    imitates: 'a Loops server with the certificate of another name',
    expect: noSoftware('unreachable', 'tls-wrong-name'),
    certificate: 'wrong-name',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-self-signed': {
    imitates: 'a Loops server with a certificate that it signed itself',
    expect: noSoftware('unreachable', 'tls-untrusted'),
    certificate: 'self-signed',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-unknown-authority': {
    imitates: 'a Loops server with a certificate of an unknown authority',
    expect: noSoftware('unreachable', 'tls-untrusted'),
    certificate: 'unknown-authority',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-incomplete-chain': {
    imitates: 'a Loops server that does not send the intermediate certificate between its own and the authority',
    expect: noSoftware('unreachable', 'tls-untrusted'),
    certificate: 'incomplete-chain',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-old-protocol': {
    imitates: 'a Loops server that speaks TLS 1.1 and nothing later',
    expect: noSoftware('unreachable', 'tls-failed'),
    protocol: 'TLSv1.1',
    site: (host) => ({ state: loopsState(host) }),
  },
  'tls-oldest-protocol': {
    imitates: 'a Loops server that speaks TLS 1.0 and nothing later',
    expect: noSoftware('unreachable', 'tls-failed'),
    protocol: 'TLSv1',
    site: (host) => ({ state: loopsState(host) }),
  },
  'dns-nxdomain': {
    imitates: 'a name that no longer exists',
    expect: noSoftware('unreachable', 'dns-nxdomain'),
    weight: 3,
    dns: 'nxdomain',
  },
  'dns-servfail': {
    imitates: 'a name whose servers answer SERVFAIL',
    expect: noSoftware('unreachable', 'dns-servfail'),
    dns: 'servfail',
  },
  'dns-no-address': {
    imitates: 'a name without an address',
    expect: noSoftware('unreachable', 'dns-no-address'),
    dns: 'no-address',
  },
  'dns-refused': {
    imitates: 'a name whose servers answer REFUSED',
    expect: noSoftware('unreachable', 'dns-refused'),
    dns: 'refused',
  },
  'dns-silent': {
    imitates: 'a name whose servers never answer; a visit costs the DNS time-out',
    expect: noSoftware('unreachable', 'dns-timeout'),
    weight: 0,
    dns: 'silent',
  },
  'stalls-on-connect': {
    imitates: 'a host that accepts connections and never sends a byte; a visit costs a time-out',
    expect: noSoftware('unreachable', null),
    weight: 0,
    connection: 'stall',
  },
  'stalls-on-request': {
    imitates: 'a host that never answers, except for robots.txt; a visit costs two response time-outs',
    expect: noSoftware('unreachable', 'response-timeout'),
    weight: 0,
    site: () => ({ faults: onEveryProbe({ fault: 'stall' }) }),
  },
  drips: {
    imitates: 'a host whose every body drips for minutes, except for robots.txt; a visit costs two time-outs',
    expect: noSoftware('unreachable', 'body-timeout'),
    weight: 0,
    site: (host) => ({
      state: loopsState(host),
      faults: onEveryProbe({ fault: 'drip', everyMs: 1_000 }),
    }),
  },
  'stalls-in-headers': {
    imitates: 'a host that stops in the middle of all headers, except for robots.txt; a visit costs two time-outs',
    expect: noSoftware('unreachable', 'response-timeout'),
    weight: 0,
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'stall', at: 'in-headers' }) }),
  },
  'stalls-in-body': {
    imitates: 'a host that stops in the middle of every body, except for robots.txt; a visit costs two time-outs',
    expect: noSoftware('unreachable', null),
    weight: 0,
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'stall', at: 'in-body' }) }),
  },
};
