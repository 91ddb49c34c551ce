import type { ClientView } from '../../report.ts';
import { proseLine } from './blocks.ts';

/** The kinds of clients, as an operator calls them. */
export const CLIENT_NAMES: Readonly<Record<ClientView['client'], string>> = {
  loopscout: 'Loopscout',
  'official-app': 'the official app',
  'nodeinfo-strict': 'a strict NodeInfo client',
  'nodeinfo-best-effort': 'a lenient NodeInfo client',
};

/** What a client takes the server for: `a Loops server, 1.0.0`. */
export function seenWords({ sees, software, version }: ClientView): string {
  const named = [software, version].flatMap((word) => (word === null ? [] : [proseLine(word, 60)])).join(' ');
  if (sees === 'nothing') return 'nothing';
  if (sees === 'service') return version === null ? 'a Loops server' : `a Loops server, ${proseLine(version, 60)}`;
  return named === '' ? 'other software' : `other software, ${named}`;
}
