import { createHash } from 'node:crypto';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';

/** A stored source: keys are unique, ids ascend in the order of the first runs and are never reused. */
type StoredSource = { readonly id: number; readonly key: string; readonly type: string };

/**
 * The names under which sources are published, by id: the `id` in the settings, else the type with the file name or the host, because
 * paths and queries may hold secrets. A source whose name an earlier one has gets a hash of its key too, so no name ever changes because
 * a source is added, moved in the settings or read later. A source that names a hidden host is published by type and number.
 */
export function sourceNames(sources: readonly StoredSource[], isHidden: IsHidden): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  const isGiven = ({ key }: StoredSource) => !key.includes(' ');
  for (const source of sources.toSorted((a, b) => Number(isGiven(b)) - Number(isGiven(a)) || a.id - b.id)) {
    const { id, key, type } = source;
    const [kind, url = ''] = key.split(' ');
    const target = URL.parse(url)?.host || (/([^/\\]*?)(\.[^./\\]*)?$/.exec(key)?.[1] ?? '').replace(`${kind} `, '');
    const plain = isGiven(source) ? key : `${kind}-${slugOf(target)}`;
    const isNameHidden = isHidden(target) || isHidden(key);
    const name = isNameHidden ? `${type}-${id}` : taken.has(plain) ? `${plain}-${hashOf(key)}` : plain;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .slice(0, 64);

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 6);
