import type { InstanceFacts } from '../model/facts/instance-facts.ts';
import { registrationOf } from './browse/registration.ts';

/** Whether the directory sends people to an instance, and why. */
export type Joinability =
  | 'proven'
  /** As far as is known: less than half of the last 30 days was observed. */
  | 'new'
  | 'down'
  | 'closed'
  | 'approval'
  | 'registration-unknown'
  | 'unconfirmed'
  | 'outdated'
  | 'unreliable';

/** The least uptime of 30 days at which an instance is joinable: at most a day and a half of outages. */
export const MIN_UPTIME = 0.95;

type Facts = Pick<InstanceFacts, 'registration' | 'flags'> & {
  readonly status: 'up' | 'down';
  readonly uptime: { readonly month: number | null };
};

/** The first reason against the instance, or that there is none. */
export function joinabilityOf({ status, registration, flags, uptime: { month } }: Facts): Joinability {
  if (status === 'down') return 'down';
  const who = registrationOf(registration);
  if (who !== 'open') return who === 'unknown' ? 'registration-unknown' : who;
  if (flags.includes('unconfirmed')) return 'unconfirmed';
  if (flags.includes('outdated')) return 'outdated';
  if (month === null) return 'new';
  return month < MIN_UPTIME ? 'unreliable' : 'proven';
}

export function isJoinable(instance: Facts): boolean {
  const joinability = joinabilityOf(instance);
  return joinability === 'proven' || joinability === 'new';
}
