import type { SimulatedVisit } from './visits.ts';
import type { Published } from './world.ts';

/** A change derived from the simulator's log. */
export interface ExpectedChange {
  at: number;
  field: string;
  from: unknown;
  to: unknown;
}

const DAY = 86_400_000;

/** Derives the expected history of a domain from the simulator's log alone, with code that shares nothing with the product. */
export function expectedHistory(visitLog: readonly SimulatedVisit[]): ExpectedChange[] {
  const changes: ExpectedChange[] = [];
  let state = 'new';
  let failures = 0;
  let failingSince = 0;
  let lastSuccess = 0;
  let wasEverLoops = false;
  let lastResult: Record<string, unknown> | null = null;
  let facts: Record<string, unknown> | null = null;

  for (const [index, { at, verdict, reason, published }] of visitLog.entries()) {
    const addIfChanged = (field: string, from: unknown, to: unknown) => {
      if (from !== to) changes.push({ at, field, from, to });
    };
    const known = lastResult as Record<string, unknown> | null;
    const isListed = known?.identifiedAs === 'loops' && (state === 'active' || state === 'failing');
    const isDeclined = isListed && verdict === 'declined' && reason !== 'gone';
    const hasFailed = verdict === 'unreachable' || (verdict === 'unidentified' && wasEverLoops);
    if (isDeclined && at - lastSuccess > 7 * DAY) {
      addIfChanged('identifiedAs', 'loops', null);
      lastResult = { ...known, identifiedAs: null };
    }
    if (isDeclined) continue;
    if (hasFailed && failures === 0) failingSince = at;
    failures = hasFailed ? failures + 1 : 0;
    const isDeadOrGone = state === 'dead' || state === 'gone';
    if (!hasFailed) lastSuccess = at;
    let nextState = 'active';
    if (reason === 'gone') nextState = 'gone';
    else if (hasFailed && isDeadOrGone) nextState = state;
    else if (hasFailed && isListed && state === 'active' && failures < 2) nextState = 'active';
    else if (hasFailed) nextState = failures > 6 && at - failingSince > 7 * DAY ? 'dead' : 'failing';
    // An outage begins with the first of the failed visits.
    if (state !== nextState)
      changes.push({ at: nextState === 'failing' ? failingSince : at, field: 'state', from: state, to: nextState });
    state = nextState;

    const result = conclusiveResult(verdict, published);
    if (result !== null) {
      if (lastResult === null) {
        // A first visit records what it identified only if that is Loops.
        if (index > 0 || verdict === 'loops') addIfChanged('identifiedAs', null, verdict);
      } else {
        for (const [field, value] of Object.entries(result)) addIfChanged(field, lastResult[field], value);
      }
      lastResult = result;
    }
    if (published !== null) {
      wasEverLoops = true;
      const read = toFields(published);
      if (facts !== null) for (const [field, value] of Object.entries(read)) addIfChanged(field, facts[field], value);
      facts = { ...(facts ?? UNKNOWN_CONFIG), ...read };
    }
  }
  return changes;
}

/** The facts of a Loops server whose config was never read. */
const UNKNOWN_CONFIG = {
  'registration.mode': null,
  federation: null,
  'features.forYouFeed': null,
  'features.pushNotifications': null,
  'limits.maxVideoSizeMB': null,
};

/** The fields that a visit with this verdict sets; null if the visit does not identify the host. */
function conclusiveResult(verdict: string, published: Published | null): Record<string, unknown> | null {
  if (published !== null)
    return {
      identifiedAs: 'loops',
      via: published.config === null ? 'nodeinfo' : 'config',
      software: 'loops',
      version: published.version,
      isAlias: false,
    };
  if (verdict === 'other')
    return { identifiedAs: 'other', via: 'nodeinfo', software: 'mastodon', version: '4.5.0', isAlias: false };
  if (verdict === 'alias') return { identifiedAs: 'alias', via: null, software: null, version: null, isAlias: true };
  return null;
}

/** The facts that a visit reads: fewer without a config. */
function toFields({ name, config }: Published): Record<string, unknown> {
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
