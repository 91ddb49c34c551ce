import type { InstanceFacts } from './instance.ts';

/**
 * The facts to keep of an instance: what the last visit read. Counts that it could not read stay as they were, with the
 * time they were read (`usage.asOf`), so that one failed NodeInfo request does not make a known count unknown.
 */
export function latestFacts(before: InstanceFacts | null, read: InstanceFacts): InstanceFacts {
  return before === null || read.usage.asOf !== null ? read : { ...read, usage: before.usage };
}
