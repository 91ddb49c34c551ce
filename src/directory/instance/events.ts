import type { Change } from '../../model/change.ts';
import type { Conclusive } from '../../model/domain-record.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import type { EpochMs } from '../../model/time.ts';

/** What subscribers of an instance want to know. `changed`: the instance runs another version, not known to be newer. */
export type InstanceEventKind = 'down' | 'up' | 'listed' | 'unlisted' | 'upgraded' | 'changed';

/** Something that happened to an instance. */
export interface InstanceEvent {
  readonly kind: InstanceEventKind;
  readonly at: EpochMs;
  /** Versions for `upgraded` and `changed`, else states or verdicts. */
  readonly from: string | null;
  readonly to: string | null;
  /** Why the state changed, in words; null for every other event. */
  readonly why: string | null;
}

const LISTED_STATES: readonly (string | null)[] = ['active', 'failing'];

/**
 * The events among the changes of a domain while it was a Loops server, newest first. One visit causes at most one event of each kind.
 *
 * @param changes newest first.
 * @param current what the domain is identified as now.
 */
export function eventsOf(changes: readonly Change[], current: Conclusive | null): InstanceEvent[] {
  const identities = changes.filter(({ field }) => field === 'identifiedAs');
  const [oldest] = identities.slice(-1);
  const identityAt = (at: number) =>
    (oldest === undefined ? current : (identities.find((change) => change.at <= at)?.to ?? oldest.from)) ?? null;
  const seen = new Set<string>();
  return changes.flatMap(({ at, field, from: before, to: after, why }) => {
    if (field !== 'identifiedAs' && identityAt(at) !== 'loops') return [];
    const [from, to] = [textOf(before), textOf(after)];
    const kind = kindOf(field, from, to);
    if (kind === null || seen.has(`${kind} ${at}`)) return [];
    seen.add(`${kind} ${at}`);
    return [{ kind, at, from, to, why }];
  });
}

function kindOf(field: Change['field'], from: string | null, to: string | null): InstanceEventKind | null {
  if (field === 'identifiedAs') return to === 'loops' ? 'listed' : from === 'loops' ? 'unlisted' : null;
  if (field === 'version') {
    if (from === null || to === null) return null;
    return isOlder(from, to) === true ? 'upgraded' : 'changed';
  }
  if (field !== 'state') return null;
  if (to === 'failing') return 'down';
  if (!LISTED_STATES.includes(to)) return LISTED_STATES.includes(from) ? 'unlisted' : null;
  if (from === 'failing') return 'up';
  return from === 'new' ? null : 'listed';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
