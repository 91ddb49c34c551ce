const WWW = 'www.';

/** A host without and with a leading `www.`. `www.www.loops.example`, `example` and `www.example` have no variant; for them, both elements are the host itself. */
function wwwVariantsOf(host: string): readonly [bare: string, withWww: string] {
  const bare = host.startsWith(WWW) ? host.slice(WWW.length) : host;
  const hasVariant = bare.includes('.') && !bare.startsWith(WWW);
  return hasVariant ? [bare, `${WWW}${bare}`] : [host, host];
}

export interface OptOutScope {
  /** The host without and with `www.`; both the same when there is no variant. */
  readonly bare: string;
  readonly withWww: string;
  /** Null covers every port. */
  readonly port: string | null;
}

/**
 * An opt-out covers its host with and without `www.`, at every port unless it names one. It does not cover other subdomains.
 *
 * @param name a normalised host, with or without a port.
 */
export function optOutScopeOf(name: string): OptOutScope {
  const colon = name.indexOf(':');
  const [bare, withWww] = wwwVariantsOf(colon === -1 ? name : name.slice(0, colon));
  return { bare, withWww, port: colon === -1 ? null : name.slice(colon + 1) };
}

/** The opt-outs in force. */
export interface OptOutSet {
  readonly size: number;
  /** Whether an opt-out covers a host, with or without a port. */
  has(name: string): boolean;
}

/** @param names hosts, with or without a port; later additions take effect at once. */
export function createOptOutSet(names: ReadonlySet<string>): OptOutSet {
  return {
    get size() {
      return names.size;
    },
    has(name) {
      const { bare, withWww, port } = optOutScopeOf(name);
      if (names.has(bare) || names.has(withWww)) return true;
      return port !== null && (names.has(`${bare}:${port}`) || names.has(`${withWww}:${port}`));
    },
  };
}

/** A host name as in a normalised URL, with its port; or an escape sequence of JSON or a URL, which would lengthen the name. */
const NAME_OR_ESCAPE = /\\(?:u[0-9a-f]{4}|.)|%[0-9a-f]{2}|[a-z0-9_-]+(?:\.[a-z0-9_-]+)+(?::\d{1,5})?/g;

/** Whether a text of ours, plain or JSON, names a host that has opted out. Hosts in our texts come from normalised URLs. */
export function namesOptedOutHost(text: string, optedOut: OptOutSet): boolean {
  if (optedOut.size === 0) return false;
  for (const [name] of text.toLowerCase().matchAll(NAME_OR_ESCAPE)) if (optedOut.has(name)) return true;
  return false;
}
