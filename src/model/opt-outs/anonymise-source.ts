import { hash } from 'node:crypto';
import type { OptOutSet } from './opt-out-names.ts';
import { namesOptedOut } from './redact-names.ts';

/** What a source of candidates goes by. */
interface Names {
  readonly key: string;
  readonly label: string;
}

/** A source whose address, path or label names a host that has opted out goes by a hash of its key, the same at every run, so that its history goes on. */
export function anonymiseSource<Source extends Names>(source: Source, optedOut: OptOutSet): Source {
  if (!namesOptedOut(source.key, optedOut) && !namesOptedOut(source.label, optedOut)) return source;
  const name = `forgotten source ${hash('sha256', source.key).slice(0, 12)}`;
  return { ...source, key: name, label: name };
}
