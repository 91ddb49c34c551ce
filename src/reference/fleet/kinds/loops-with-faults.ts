import {
  discoveryPath,
  type Expectation,
  type FaultWithoutRoute,
  type Kind,
  loopsByConfig,
  loopsByNodeInfo,
  onConfig,
} from '../kind.ts';
import { loopsState } from '../site.ts';

/** A current server with a fault of its config endpoint. */
function faultyConfig(name: string, imitates: string, expect: Expectation, fault: FaultWithoutRoute): Kind {
  return { name, imitates, expect, site: (host) => ({ state: loopsState(host), faults: onConfig(fault) }) };
}

/** A server whose config identifies it in spite of the fault. */
function readableConfig(name: string, imitates: string, fault: FaultWithoutRoute): Kind {
  return faultyConfig(name, imitates, loopsByConfig(), fault);
}

/** A server whose config the fault makes unusable, so that NodeInfo must identify it. */
function unreadableConfig(name: string, imitates: string, fault: FaultWithoutRoute): Kind {
  return faultyConfig(name, `${imitates}; its NodeInfo works`, loopsByNodeInfo(), fault);
}

/** Loops servers with transport or content faults of their config endpoint. */
export const loopsWithFaultsKinds: Kind[] = [
  readableConfig(
    'loops-config-no-length',
    'a server that sends its config without a length and closes the connection',
    {
      fault: 'no-content-length',
    },
  ),
  readableConfig('loops-config-dripping', 'a server whose config arrives slowly but completely', {
    fault: 'drip',
    bytesPerWrite: 32,
    everyMs: 5,
  }),
  readableConfig('loops-config-late', 'a server whose config takes half a second', { fault: 'delay', ms: 500 }),
  readableConfig(
    'loops-config-invalid-utf8',
    'a server with bytes in its config that are not UTF-8, outside the fields that matter',
    {
      fault: 'invalid-utf8',
    },
  ),
  readableConfig('loops-config-duplicate-keys', 'a server with every key of its config twice, the right one last', {
    fault: 'duplicate-keys',
  }),
  readableConfig('loops-config-padded', 'a server with 200 KiB of white space before its config', {
    fault: 'large-body',
    bytes: 200 * 1_024,
  }),
  readableConfig('loops-config-three-hops', 'a server that redirects config three times within the host', {
    fault: 'redirect',
    to: 'chain',
    hops: 3,
  }),
  unreadableConfig('loops-config-five-hops', 'a server that redirects config five times within the host', {
    fault: 'redirect',
    to: 'chain',
    hops: 5,
  }),
  unreadableConfig('loops-config-redirect-loop', 'a server that redirects config to itself', {
    fault: 'redirect',
    to: 'loop',
  }),
  unreadableConfig('loops-config-to-loopback', 'a server that redirects config to 127.0.0.1', {
    fault: 'redirect',
    to: 'loopback',
  }),
  unreadableConfig('loops-config-to-private', 'a server that redirects config to 10.0.0.1', {
    fault: 'redirect',
    to: 'private',
  }),
  unreadableConfig('loops-config-to-http', 'a server that redirects config to http:', {
    fault: 'redirect',
    to: 'http',
  }),
  unreadableConfig('loops-config-to-data', 'a server that redirects config to a data: URL with the config of Loops', {
    fault: 'redirect',
    to: 'data',
  }),
  unreadableConfig('loops-config-truncated', 'a server whose config is shorter than its Content-Length', {
    fault: 'truncated',
  }),
  unreadableConfig('loops-config-unfinished', 'a server that sends config in chunks without the last one', {
    fault: 'unfinished-chunks',
  }),
  unreadableConfig('loops-config-negative-length', 'a server that sends Content-Length -1 for its config', {
    fault: 'wrong-length',
    value: '-1',
  }),
  unreadableConfig('loops-config-short-length', 'a server whose Content-Length of config is too short', {
    fault: 'wrong-length',
    value: '20',
  }),
  unreadableConfig('loops-config-large-headers', 'a server with 64 KiB of headers before its config', {
    fault: 'large-headers',
  }),
  unreadableConfig('loops-config-deep', 'a server whose config holds a list 10,000 levels deep', {
    fault: 'deep-json',
    depth: 10_000,
  }),
  unreadableConfig('loops-config-not-quite-json', 'a server whose config has a trailing comma', {
    fault: 'invalid-json',
    how: 'trailing-comma',
  }),
  unreadableConfig('loops-config-gzip-bomb', 'a server whose config unpacks to 8 MiB', {
    fault: 'gzip-bomb',
    unpackedBytes: 8 * 1_048_576,
  }),
  unreadableConfig('loops-config-closed', 'a server that closes the connection instead of answering config', {
    fault: 'close',
  }),
  unreadableConfig('loops-config-reset', 'a server that resets the connection in the middle of its config', {
    fault: 'reset',
    at: 'in-body',
  }),
  unreadableConfig('loops-config-reset-early', 'a server that resets the connection in the headers before its config', {
    fault: 'reset',
    at: 'in-headers',
  }),
  unreadableConfig('loops-config-not-http', 'a server that answers config with something other than HTTP', {
    fault: 'not-http',
  }),
  unreadableConfig('loops-config-502', 'a server that answers config with 502 and Retry-After', {
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
    imitates: 'a server whose NodeInfo is longer than its Content-Length while config works',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host), faults: [{ route: discoveryPath, fault: 'over-long' }] }),
  },
  {
    ...unreadableConfig('loops-config-drips-on', 'a server whose config drips for minutes', {
      fault: 'drip',
      bytesPerWrite: 1,
      everyMs: 1_000,
    }),
    weight: 0,
  },
  {
    ...unreadableConfig('loops-config-stalls-in-headers', 'a server that stops in the headers before its config', {
      fault: 'stall',
      at: 'in-headers',
    }),
    weight: 0,
  },
];
