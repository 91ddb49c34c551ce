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

/** Every name whose opt-out covers this one; of these, each is written as an opt-out would be. */
export function optOutNamesOf(name: string): readonly [string, string, string, string] {
  const { bare, twin, port } = optOutScopeOf(name);
  return port === null ? [bare, twin, bare, twin] : [bare, twin, `${bare}:${port}`, `${twin}:${port}`];
}

/** Whether one of some opt-outs covers a name. */
export function createCoverage(optOuts: Iterable<string>): (name: string) => boolean {
  const names = new Set(optOuts);
  return (name) => optOutNamesOf(name).some((covering) => names.has(covering));
}
