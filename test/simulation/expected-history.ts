import type { Told } from './visits.ts';
import type { Said } from './world.ts';

/** A change as the world's log has it. */
export interface ExpectedChange {
  at: number;
  field: string;
  from: unknown;
  to: unknown;
}

const DAY = 86_400_000;

/**
 * What must be in the history of a domain, worked out from nothing but what the world told at each visit, by code that shares
 * nothing with the product's.
 */
export function expectedHistory(told: readonly Told[]): ExpectedChange[] {
  const changes: ExpectedChange[] = [];
  let state = 'new';
  let failures = 0;
  let failingSince = 0;
  let onceLoops = false;
  let known: Record<string, unknown> | null = null;
  let facts: Record<string, unknown> | null = null;

  for (const [number, { at, verdict, reason, said }] of told.entries()) {
    const compare = (field: string, from: unknown, to: unknown) => {
      if (from !== to) changes.push({ at, field, from, to });
    };
    const hasFailed = verdict === 'unreachable' || (verdict === 'unidentified' && onceLoops);
    if (hasFailed && failures === 0) failingSince = at;
    failures = hasFailed ? failures + 1 : 0;
    const isDown = state === 'dead' || state === 'gone';
    let next = 'active';
    if (reason === 'gone') next = 'gone';
    else if (hasFailed && isDown) next = state;
    else if (hasFailed) next = failures > 6 && at - failingSince > 7 * DAY ? 'dead' : 'failing';
    compare('state', state, next);
    state = next;

    const settled = settles(verdict, said);
    if (settled !== null) {
      if (known === null) {
        if (number > 0 || verdict === 'loops') compare('conclusive', null, verdict);
      } else for (const field of Object.keys(settled)) compare(field, known[field], settled[field]);
      known = settled;
    }
    if (said !== null) {
      onceLoops = true;
      const read = leaves(said);
      if (facts === null) facts = { ...NOTHING, ...read };
      else
        for (const [field, value] of Object.entries(read)) {
          compare(field, facts[field], value);
          facts[field] = value;
        }
    }
  }
  return changes;
}

const NOTHING = {
  'registration.mode': null,
  federation: null,
  'features.forYouFeed': null,
  'features.pushNotifications': null,
  'limits.maxVideoSizeMB': null,
};

function settles(verdict: string, said: Said | null): Record<string, unknown> | null {
  if (said !== null)
    return {
      conclusive: 'loops',
      via: said.config === null ? 'nodeinfo' : 'config',
      software: 'loops',
      version: said.version,
      isAlias: false,
    };
  if (verdict === 'other')
    return { conclusive: 'other', via: 'nodeinfo', software: 'mastodon', version: '4.5.0', isAlias: false };
  if (verdict === 'alias') return { conclusive: 'alias', via: null, software: null, version: null, isAlias: true };
  return null;
}

/** The facts that a visit could ask for. */
function leaves({ name, config }: Said): Record<string, unknown> {
  if (config === null) return { name, 'registration.open': true };
  return {
    name,
    'registration.open': config.open,
    'registration.mode': config.mode,
    federation: config.federation,
    'features.forYouFeed': config.forYouFeed,
    'features.pushNotifications': config.pushNotifications,
    'limits.maxVideoSizeMB': config.maxVideoSizeMB,
  };
}
