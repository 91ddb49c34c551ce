import { originOf } from '../model/domain/domain.ts';
import type { InstanceFacts } from '../model/facts/instance-facts.ts';
import { areCountsImplausible } from '../model/facts/usage-flags.ts';
import { type InstanceRecord, isDown } from '../model/instance-record.ts';
import { isoTime } from '../model/time.ts';
import { roundedShare } from './formatting.ts';
import { isJoinable } from './joinability.ts';
import { type InstanceEntry, OTHER_FACTS } from './schema/instance-entry.ts';

/** A listed instance as published, with its keys in the published order: equal records give equal bytes. */
export function instanceEntryOf(record: InstanceRecord): InstanceEntry {
  const { facts, uptime } = record;
  const judged = {
    status: isDown(record) ? 'down' : 'up',
    registration: facts.registration,
    uptime: {
      day: roundedShare(uptime.day.share),
      week: roundedShare(uptime.week.share),
      month: roundedShare(uptime.month.share),
      coverage: {
        day: roundedShare(uptime.day.coverage),
        week: roundedShare(uptime.week.coverage),
        month: roundedShare(uptime.month.coverage),
      },
    },
    flags: facts.flags,
  } as const;
  return {
    domain: record.domain,
    url: originOf(record.domain),
    name: facts.name,
    description: facts.description,
    software: facts.software,
    version: facts.version,
    via: record.via,
    ...othersOf(facts),
    usage: facts.usage,
    growth: growthOf(record),
    status: judged.status,
    uptime: judged.uptime,
    hosting: record.host.hosting,
    missing: [...record.missing],
    flags: judged.flags,
    joinable: isJoinable(judged),
    firstSeen: isoTime(record.firstSeen),
    lastSeen: isoTime(record.lastSeen),
    checkedAt: isoTime(record.checkedAt),
  };
}

/** How many users more than {@link GROWTH_DAYS} ago; null when either count is unknown or implausible, and while it is down. */
function growthOf(record: InstanceRecord): number | null {
  const { usageBefore, facts } = record;
  const { usage, flags } = facts;
  if (isDown(record) || usage.users === null || usageBefore === null || usageBefore.users === null) return null;
  const isImplausible = [usage, usageBefore].some((counts) => areCountsImplausible(counts, flags));
  return isImplausible ? null : usage.users - usageBefore.users;
}

type Others = Pick<InstanceFacts, (typeof OTHER_FACTS)[number]>;

/** The facts named in {@link OTHER_FACTS}, in the order of the table of facts. */
function othersOf(facts: InstanceFacts): Others {
  const others: Partial<Record<keyof Others, unknown>> = {};
  for (const name of OTHER_FACTS) others[name] = facts[name];
  return others as Others;
}
