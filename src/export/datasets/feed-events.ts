import type { ListedHistory } from '../../directory/history/listed-history.ts';
import type { PastFacts } from '../../directory/history/past-facts.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import type { EpochMs } from '../../model/time.ts';

/** `new`: listed for the first time; `back`: listed again; `gone`: no longer listed; `upgraded`: runs a newer version. */
export type FeedEventKind = 'new' | 'back' | 'gone' | 'upgraded';

export interface FeedEvent {
  readonly kind: FeedEventKind;
  readonly domain: Domain;
  readonly at: EpochMs;
  /** Current name of the instance. */
  readonly name: string | null;
  /** The version after the event. */
  readonly version: string | null;
  /** The version before the event. */
  readonly before: string | null;
  /** Its facts after the event. */
  readonly facts: PastFacts;
}

const MAX_EVENTS = 100;

/** Collects the newest events of instances added one by one. Holds at most about four times as many events as it returns. */
export class NewestEvents {
  readonly #max: number;
  #events: FeedEvent[] = [];

  constructor(max = MAX_EVENTS) {
    this.#max = max;
  }

  add(history: ListedHistory): void {
    this.#events.push(...eventsOf(history));
    if (this.#events.length > this.#max * 4) this.#trim();
  }

  /** Newest first. */
  newest(): readonly FeedEvent[] {
    this.#trim();
    return this.#events;
  }

  #trim(): void {
    this.#events = this.#events.sort(byTime).slice(0, this.#max);
  }
}

function byTime(one: FeedEvent, other: FeedEvent): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.domain !== other.domain) return one.domain < other.domain ? -1 : 1;
  return one.kind < other.kind ? -1 : 1;
}

function* eventsOf({ history, segments }: ListedHistory): Iterable<FeedEvent> {
  const { domain, firstSeen } = history.record;
  let wasEverListed = false;
  for (const [index, { from, facts, isListed }] of segments.entries()) {
    const previous = segments[index - 1];
    const kind = kindOf(previous, { facts, isListed }, wasEverListed);
    wasEverListed ||= isListed;
    if (kind === null) continue;
    const version = textOf(facts.version);
    const before = textOf(previous?.facts.version);
    const at = Number.isFinite(from) ? from : firstSeen;
    yield { kind, domain, at, name: history.facts.name, version, before, facts };
  }
}

type ListedState = { facts: PastFacts; isListed: boolean };

function kindOf(previous: ListedState | undefined, current: ListedState, wasEverListed: boolean): FeedEventKind | null {
  if (current.isListed && !previous?.isListed) return wasEverListed ? 'back' : 'new';
  if (!current.isListed && previous?.isListed) return 'gone';
  const [before, version] = [textOf(previous?.facts.version), textOf(current.facts.version)];
  const isUpgrade = current.isListed && before !== null && version !== null && isOlder(before, version) === true;
  return isUpgrade ? 'upgraded' : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
