import { optOutScopeOf } from '../opt-outs/opt-out-names.ts';

/** The host, whatever its port, without a leading `www.`: whose requests are counted together, since it is one server to its owner. */
export function siteOf(name: string): string {
  return optOutScopeOf(name).bare;
}
