import {
  discoveryPath,
  type Expectation,
  type FaultOf,
  type Kind,
  loopsByConfig,
  loopsByNodeInfo,
  onConfig,
} from '../kind.ts';
import { loopsState } from '../site.ts';

/** A current server with this fault of its config endpoint. */
function faultyConfig(name: string, imitates: string, expect: Expectation, fault: FaultOf): Kind {
  return { name, imitates, expect, site: (host) => ({ state: loopsState(host), faults: onConfig(fault) }) };
}

/** One whose config still says what it is. */
function readable(name: string, imitates: string, fault: FaultOf): Kind {
  return faultyConfig(name, imitates, loopsByConfig(), fault);
}

/** One whose config is lost, so that NodeInfo must tell what it is. */
function lost(name: string, imitates: string, fault: FaultOf): Kind {
  return faultyConfig(name, `${imitates}; its NodeInfo is whole`, loopsByNodeInfo(), fault);
}

/** Loops servers with something wrong on the way from their config endpoint. */
export const loopsWithFaultsKinds: Kind[] = [
  readable('loops-config-no-length', 'a server that sends its config without a length and closes', {
    fault: 'no-content-length',
  }),
  readable('loops-config-dripping', 'a server whose config comes in drops, but comes', {
    fault: 'drip',
    bytesPerWrite: 32,
    everyMs: 5,
  }),
  readable('loops-config-late', 'a server whose config takes half a second', { fault: 'delay', ms: 500 }),
  readable('loops-config-invalid-utf8', 'a server with bytes in its config that are no UTF-8, beside what counts', {
    fault: 'invalid-utf8',
  }),
  readable('loops-config-duplicate-keys', 'a server with every key of its config twice, the right one last', {
    fault: 'duplicate-keys',
  }),
  readable('loops-config-padded', 'a server with 200 KiB of white space before its config', {
    fault: 'large-body',
    bytes: 200 * 1_024,
  }),
  readable('loops-config-three-hops', 'a server that redirects config three times within the host', {
    fault: 'redirect',
    to: 'chain',
    hops: 3,
  }),
  lost('loops-config-five-hops', 'a server that redirects config five times within the host', {
    fault: 'redirect',
    to: 'chain',
    hops: 5,
  }),
  lost('loops-config-redirect-loop', 'a server that redirects config to itself', { fault: 'redirect', to: 'loop' }),
  lost('loops-config-to-loopback', 'a server that redirects config to 127.0.0.1', {
    fault: 'redirect',
    to: 'loopback',
  }),
  lost('loops-config-to-private', 'a server that redirects config to 10.0.0.1', { fault: 'redirect', to: 'private' }),
  lost('loops-config-to-http', 'a server that redirects config to http:', { fault: 'redirect', to: 'http' }),
  lost('loops-config-to-data', 'a server that redirects config to a data: URL that says Loops', {
    fault: 'redirect',
    to: 'data',
  }),
  lost('loops-config-truncated', 'a server whose config ends before its length', { fault: 'truncated' }),
  lost('loops-config-unfinished', 'a server whose config comes in chunks of which the last is missing', {
    fault: 'unfinished-chunks',
  }),
  lost('loops-config-negative-length', 'a server that says -1 is the length of its config', {
    fault: 'wrong-length',
    value: '-1',
  }),
  lost('loops-config-short-length', 'a server that says its config is shorter than it is', {
    fault: 'wrong-length',
    value: '20',
  }),
  lost('loops-config-large-headers', 'a server with 64 KiB of headers before its config', { fault: 'large-headers' }),
  lost('loops-config-deep', 'a server whose config holds a list 10,000 levels deep', {
    fault: 'deep-json',
    depth: 10_000,
  }),
  lost('loops-config-not-quite-json', 'a server whose config ends in a comma too many', {
    fault: 'invalid-json',
    how: 'trailing-comma',
  }),
  lost('loops-config-gzip-bomb', 'a server whose config unpacks to 8 MiB', {
    fault: 'gzip-bomb',
    unpackedBytes: 8 * 1_048_576,
  }),
  lost('loops-config-closed', 'a server that closes the connection instead of answering config', { fault: 'close' }),
  lost('loops-config-reset', 'a server that resets the connection in the middle of its config', {
    fault: 'reset',
    at: 'in-body',
  }),
  lost('loops-config-reset-early', 'a server that resets the connection in the headers before its config', {
    fault: 'reset',
    at: 'in-headers',
  }),
  lost('loops-config-not-http', 'a server that answers config with something else than HTTP', { fault: 'not-http' }),
  lost('loops-config-502', 'a server that answers config with 502 and Retry-After', {
    fault: 'server-error',
    status: 502,
    retryAfter: 120,
  }),
  {
    name: 'loops-nodeinfo-reset',
    imitates: 'a server that resets the connection at NodeInfo while config works',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host), faults: [{ route: discoveryPath, fault: 'reset' }] }),
  },
  {
    name: 'loops-nodeinfo-over-long',
    imitates: 'a server that sends more of NodeInfo than it says while config works',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host), faults: [{ route: discoveryPath, fault: 'over-long' }] }),
  },
  {
    ...lost('loops-config-drips-on', 'a server whose config drips for minutes', {
      fault: 'drip',
      bytesPerWrite: 1,
      everyMs: 1_000,
    }),
    weight: 0,
  },
  {
    ...lost('loops-config-stalls-in-headers', 'a server that stops in the headers before its config', {
      fault: 'stall',
      at: 'in-headers',
    }),
    weight: 0,
  },
];
