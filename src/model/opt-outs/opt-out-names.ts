const WWW = 'www.';

/** The two names of one host: without a leading `www.` and with it. A name below `www.www.`, or `www.` of a top-level domain, has no other. */
function twinsOf(host: string): readonly [bare: string, twin: string] {
  const bare = host.startsWith(WWW) ? host.slice(WWW.length) : host;
  const isTwin = bare.includes('.') && !bare.startsWith(WWW);
  return isTwin ? [bare, `${WWW}${bare}`] : [host, host];
}

/** What an opt-out of a name is about. */
export interface OptOutScope {
  /** The host without `www.`, and with it; the same twice where there is no other. */
  readonly bare: string;
  readonly twin: string;
  /** As it is written: null covers every port. */
  readonly port: string | null;
}

/**
 * An opt-out covers its host and the `www.` twin of that, at every port unless it names one. Other names below it are other hosts.
 *
 * @param name a host with a port or without, as a Domain has it.
 */
export function optOutScopeOf(name: string): OptOutScope {
  const colon = name.indexOf(':');
  const [bare, twin] = twinsOf(colon === -1 ? name : name.slice(0, colon));
  return { bare, twin, port: colon === -1 ? null : name.slice(colon + 1) };
}

/**
 * Stands in the place of the name of a host that has opted out. A name below `.invalid` leads nowhere for good (RFC 6761 section 6.4),
 * and is a valid host name, so that a URL with it is still one.
 */
export const REDACTED_NAME = 'opted-out.invalid';

/** The opt-outs in force. */
export interface OptOutSet {
  readonly size: number;
  /** Whether an opt-out covers a host, with a port or without; also true of {@link REDACTED_NAME}, so that it is never visited. */
  has(name: string): boolean;
}

/** @param names of hosts, with a port or without; what is added later holds at once. */
export function createOptOutSet(names: ReadonlySet<string>): OptOutSet {
  return {
    get size() {
      return names.size;
    },
    has(name) {
      const { bare, twin, port } = optOutScopeOf(name);
      if (bare === REDACTED_NAME) return true;
      if (names.has(bare) || names.has(twin)) return true;
      return port !== null && (names.has(`${bare}:${port}`) || names.has(`${twin}:${port}`));
    },
  };
}
