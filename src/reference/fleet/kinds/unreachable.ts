import { faulty, html, json } from '../answer.ts';
import { without } from '../expectations.ts';
import type { Kind } from '../kind.ts';
import { loopsState } from '../loops-state.ts';

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
    site: () => ({ pages: noRobots, rest: faulty('reset') }),
  },
  {
    name: 'not-http',
    imitates: 'a host that answers with something else than HTTP, except for robots.txt',
    expect: without('unreachable', 'invalid-http'),
    site: () => ({ pages: noRobots, rest: faulty('not-http') }),
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
    site: () => ({ pages: noRobots, rest: faulty('stall') }),
  },
  {
    name: 'stalls-in-body',
    imitates: 'a host that stops in the middle of every body; a visit costs two time-outs',
    expect: without('unreachable', null),
    weight: 0,
    site: () => ({ pages: noRobots, rest: faulty('stall-in-body') }),
  },
];
