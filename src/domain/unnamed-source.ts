import { hash } from 'node:crypto';
import { type OptedOutAmong, withholdNamesInText } from './withhold-names.ts';

/** What a source of candidates goes by. */
interface Names {
  readonly key: string;
  readonly label: string;
}

/**
 * A source that names a host which has opted out, in its address, its path or as its owner calls it, goes by another name, the same
 * whenever it is read: so its history goes on, and nothing brings the host back.
 */
export function unnamedSource<Source extends Names>(source: Source, optedOutAmong: OptedOutAmong): Source {
  const namesOne = (text: string) => withholdNamesInText(text, optedOutAmong) !== text;
  if (!namesOne(source.key) && !namesOne(source.label)) return source;
  const name = `forgotten source ${hash('sha256', source.key).slice(0, 12)}`;
  return { ...source, key: name, label: name };
}
