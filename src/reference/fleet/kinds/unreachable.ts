import { html, json } from '../answer.ts';
import { without } from '../expectations.ts';
import type { Kind } from '../kind.ts';
import { loopsState } from '../loops-state.ts';
import { onEveryProbe } from '../probed-routes.ts';

const noRobots = { '/robots.txt': html('', 404) };

/** Hosts that give no usable answer. */
export const unreachableKinds: Kind[] = [
  {
    name: 'http-500',
    imitates: 'a server that answers 500 to everything but robots.txt',
    expect: without('unreachable', 'http-5xx'),
    weight: 2,
    site: () => ({ pages: noRobots, rest: json({ message: 'Server Error' }, 500) }),
  },
  {
    name: 'http-502',
    imitates: 'a proxy with nothing behind it: 502 to everything but robots.txt',
    expect: without('unreachable', 'http-5xx'),
    weight: 2,
    site: () => ({ pages: noRobots, rest: html('<h1>502 Bad Gateway</h1>', 502) }),
  },
  {
    name: 'http-503-everywhere',
    imitates: 'a server under maintenance: 503 to anything, robots.txt too',
    expect: without('unreachable', null),
    site: () => ({ rest: html('<h1>Be right back</h1>', 503) }),
  },
  {
    name: 'robots-500',
    imitates: 'a Loops server whose robots.txt alone answers 500',
    expect: without('unreachable', 'robots-unreachable'),
    site: (host) => ({ state: loopsState(host), pages: { '/robots.txt': html('', 500) } }),
  },
  {
    name: 'robots-reset',
    imitates: 'a Loops server that resets the connection at robots.txt alone',
    expect: without('unreachable', 'robots-unreachable'),
    site: (host) => ({ state: loopsState(host), faults: [{ route: '/robots.txt', fault: 'reset' }] }),
  },
  {
    name: 'robots-truncated',
    imitates: 'a Loops server whose robots.txt alone ends before its length',
    expect: without('unreachable', 'robots-unreachable'),
    site: (host) => ({
      state: loopsState(host, { profile: 'live' }),
      faults: [{ route: '/robots.txt', fault: 'truncated' }],
    }),
  },
  {
    name: 'connection-refused',
    imitates: 'a host with nothing behind its port',
    expect: without('unreachable', 'connect-refused'),
    weight: 2,
    connection: 'closed-port',
  },
  {
    name: 'reset-on-connect',
    imitates: 'a host that resets every connection before TLS is up',
    expect: without('unreachable', null),
    connection: 'reset',
  },
  {
    name: 'reset-on-request',
    imitates: 'a host that resets the connection at every request but that for robots.txt',
    expect: without('unreachable', 'connection-reset'),
    site: () => ({ faults: onEveryProbe({ fault: 'reset' }) }),
  },
  {
    name: 'closed-on-request',
    imitates: 'a host that closes the connection at every request but that for robots.txt',
    expect: without('unreachable', 'connection-reset'),
    site: () => ({ faults: onEveryProbe({ fault: 'close' }) }),
  },
  {
    name: 'truncated',
    imitates: 'a Loops server whose answers all end before their length, except for robots.txt',
    expect: without('unreachable', 'connection-reset'),
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'truncated' }) }),
  },
  {
    name: 'length-not-a-number',
    imitates: 'a Loops server whose answers all have a word for their length, except for robots.txt',
    expect: without('unreachable', 'invalid-http'),
    site: (host) => ({
      state: loopsState(host),
      faults: onEveryProbe({ fault: 'wrong-length', value: 'unknown' }),
    }),
  },
  {
    name: 'large-headers',
    imitates: 'a Loops server with 64 KiB of headers before every answer, except for robots.txt',
    expect: without('unreachable', 'invalid-http'),
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'large-headers' }) }),
  },
  {
    name: 'not-http',
    imitates: 'a host that answers with something else than HTTP, except for robots.txt',
    expect: without('unreachable', 'invalid-http'),
    site: () => ({ faults: onEveryProbe({ fault: 'not-http' }) }),
  },
  {
    name: 'tls-not-spoken',
    imitates: 'a host that speaks plain HTTP where TLS belongs',
    expect: without('unreachable', 'tls-failed'),
    connection: 'not-tls',
  },
  {
    name: 'tls-expired',
    imitates: 'a Loops server whose certificate has expired',
    expect: without('unreachable', 'tls-expired'),
    certificate: 'expired',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-not-yet-valid',
    imitates: 'a Loops server whose certificate holds from next month on',
    expect: without('unreachable', 'tls-expired'),
    certificate: 'not-yet-valid',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-wrong-name',
    imitates: 'a Loops server with the certificate of another name',
    expect: without('unreachable', 'tls-wrong-name'),
    certificate: 'wrong-name',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-self-signed',
    imitates: 'a Loops server with a certificate that it signed itself',
    expect: without('unreachable', 'tls-untrusted'),
    certificate: 'self-signed',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-unknown-authority',
    imitates: 'a Loops server with a certificate of an authority nobody knows',
    expect: without('unreachable', 'tls-untrusted'),
    certificate: 'unknown-authority',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-incomplete-chain',
    imitates: 'a Loops server that does not send the intermediate certificate between its own and the authority',
    expect: without('unreachable', 'tls-untrusted'),
    certificate: 'incomplete-chain',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-old-protocol',
    imitates: 'a Loops server that speaks TLS 1.1 and nothing later',
    expect: without('unreachable', 'tls-failed'),
    protocol: 'TLSv1.1',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'tls-oldest-protocol',
    imitates: 'a Loops server that speaks TLS 1.0 and nothing later',
    expect: without('unreachable', 'tls-failed'),
    protocol: 'TLSv1',
    site: (host) => ({ state: loopsState(host) }),
  },
  {
    name: 'dns-nxdomain',
    imitates: 'a name that is no more',
    expect: without('unreachable', 'dns-nxdomain'),
    weight: 3,
    dns: 'nxdomain',
  },
  {
    name: 'dns-servfail',
    imitates: 'a name whose servers answer SERVFAIL',
    expect: without('unreachable', 'dns-servfail'),
    dns: 'servfail',
  },
  {
    name: 'dns-no-address',
    imitates: 'a name without an address',
    expect: without('unreachable', 'dns-no-address'),
    dns: 'no-address',
  },
  {
    name: 'dns-refused',
    imitates: 'a name whose servers answer REFUSED',
    expect: without('unreachable', 'dns-refused'),
    dns: 'refused',
  },
  {
    name: 'dns-silent',
    imitates: 'a name whose servers never answer; a visit costs the DNS time-out',
    expect: without('unreachable', 'dns-timeout'),
    weight: 0,
    dns: 'silent',
  },
  {
    name: 'stalls-on-connect',
    imitates: 'a host that accepts connections and never says a word; a visit costs a time-out',
    expect: without('unreachable', null),
    weight: 0,
    connection: 'stall',
  },
  {
    name: 'stalls-on-request',
    imitates: 'a host that never answers, except for robots.txt; a visit costs two response time-outs',
    expect: without('unreachable', 'response-timeout'),
    weight: 0,
    site: () => ({ faults: onEveryProbe({ fault: 'stall' }) }),
  },
  {
    name: 'drips',
    imitates: 'a host whose every body drips for minutes, except for robots.txt; a visit costs two time-outs',
    expect: without('unreachable', 'body-timeout'),
    weight: 0,
    site: (host) => ({
      state: loopsState(host),
      faults: onEveryProbe({ fault: 'drip', everyMs: 1_000 }),
    }),
  },
  {
    name: 'stalls-in-headers',
    imitates: 'a host that stops in the middle of all headers, except for robots.txt; a visit costs two time-outs',
    expect: without('unreachable', 'response-timeout'),
    weight: 0,
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'stall', at: 'in-headers' }) }),
  },
  {
    name: 'stalls-in-body',
    imitates: 'a host that stops in the middle of every body; a visit costs two time-outs',
    expect: without('unreachable', null),
    weight: 0,
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'stall', at: 'in-body' }) }),
  },
];
