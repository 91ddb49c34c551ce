import { Evidence, type EvidenceOptions, type Outcome, Undecided } from '../evidence.ts';
import type { Exchange, SentRequest } from '../exchange.ts';
import { type Browser, decide, type User } from './consent.ts';
import { type Need, PROBE_IDS, PROBES, type ProbeId } from './probe-ids.ts';
import { PLANS } from './probes.ts';
import type { Send } from './sender.ts';

export interface RunOptions extends EvidenceOptions {
  /** Whether apps may be registered and tokens be requested. */
  writes: boolean;
  /** Who signs in; null: nobody. */
  user: User | null;
}

/** A server that lets this many requests fail gets no others. */
const MAX_FAILURES = 3;

/** Runs probes in order and collects their outcomes. */
export async function runProbes(probes: readonly ProbeId[], options: RunOptions, send: Send): Promise<Evidence> {
  const evidence = new Evidence(options);
  const browser: Browser = { cookies: new Map(), hasSignedIn: false };
  let failures = 0;
  const sendCounted = async (probe: ProbeId, request: SentRequest) => {
    const exchange = await send(probe, request);
    if (exchange.failure !== null) failures++;
    return exchange;
  };
  for (const probe of probes) evidence.add(probe, await outcomeOf(probe));
  return evidence;

  async function outcomeOf(probe: ProbeId): Promise<Outcome> {
    const missing = missingFor(PROBES[probe], options);
    if (missing !== null) return { skipped: missing };
    if (failures >= MAX_FAILURES) return { skipped: `${MAX_FAILURES} requests before it failed` };
    try {
      return toOutcome(await exchangesOf(probe));
    } catch (error) {
      if (error instanceof Undecided) return { skipped: error.message };
      throw error;
    }
  }

  async function exchangesOf(probe: ProbeId): Promise<Exchange[]> {
    const plan = PLANS[probe];
    if ('request' in plan) return [await sendCounted(probe, plan.request(evidence))];
    if ('requests' in plan) {
      const exchanges: Exchange[] = [];
      for (const request of plan.requests(evidence)) exchanges.push(await sendCounted(probe, request));
      return exchanges;
    }
    if (options.user === null) throw new Undecided('skipped', NEEDS.user);
    const { decision } = plan;
    const visit = { user: options.user, decision, browser };
    return decide(plan.page(evidence), visit, (one) => sendCounted(probe, one));
  }
}

function toOutcome([first, ...others]: readonly Exchange[]): Outcome {
  return first === undefined ? { skipped: 'there was nothing to send' } : { exchanges: [first, ...others] };
}

const NEEDS: Readonly<Record<Exclude<Need, 'nothing'>, string>> = {
  write: 'it needs --write',
  user: 'it needs --write, --username and a password',
  token: 'it needs --token, or --write, --username and a password',
  video: 'it needs --video with the id of a video',
};

/** Why a probe cannot be run with these options; null when it can. */
export function missingFor(
  need: Need,
  { writes, user, token, video }: Pick<RunOptions, 'writes' | 'user' | 'token' | 'video'>,
): string | null {
  const has: Record<Need, boolean> = {
    nothing: true,
    write: writes,
    user: writes && user !== null,
    token: token !== null || (writes && user !== null),
    video: video !== null,
  };
  return need === 'nothing' || has[need] ? null : NEEDS[need];
}

/** The probes with those that they build on, in the order of a run. */
export function withEarlier(probes: readonly ProbeId[]): ProbeId[] {
  const needed = new Set<ProbeId>();
  const add = (probe: ProbeId): void => {
    if (needed.has(probe)) return;
    needed.add(probe);
    PLANS[probe].after.forEach(add);
  };
  probes.forEach(add);
  if (needed.has('apps')) needed.add('revoke-rest');
  return PROBE_IDS.filter((probe) => needed.has(probe));
}
