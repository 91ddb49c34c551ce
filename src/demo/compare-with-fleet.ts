import type { Visit } from '../model/visit.ts';
import type { FleetHost } from '../reference/index.ts';

/** The result of a visit, as far as the fleet predicts it. */
export type VisitResult = Pick<Visit, 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf'>;

/** The differences between the visits and the expectations of the fleet, one sentence each. */
export function differencesFrom(hosts: readonly FleetHost[], visits: ReadonlyMap<string, VisitResult>): string[] {
  return hosts.flatMap((host) => differencesOf(host, visits.get(host.domain)));
}

function differencesOf({ domain, kind, expect }: FleetHost, visit: VisitResult | undefined): string[] {
  if (visit === undefined) return [`${domain} (${kind}): not visited`];
  if (expect === null) return [];
  const wrong = (['verdict', 'reason', 'via', 'software', 'version'] as const).filter((key) => {
    const isAnyReasonRight = key === 'reason' && expect[key] === null;
    return !isAnyReasonRight && expect[key] !== visit[key];
  });
  if (expect.aliasOf !== undefined && expect.aliasOf !== visit.aliasOf) {
    return [`${domain} (${kind}): aliasOf is ${visit.aliasOf}, should be ${expect.aliasOf}`];
  }
  if (wrong.length === 0) return [];
  return [`${domain} (${kind}): ${wrong.map((key) => `${key} is ${visit[key]}, should be ${expect[key]}`).join('; ')}`];
}

/** Describes how much earlier the hosts that a list reports as Loops were visited than the others; empty when one of the groups is. */
export function priorityText(visited: readonly string[], reportedLoops: ReadonlySet<string>): string {
  const medianPosition = (isIncluded: (domain: string) => boolean) => {
    const positions = visited.flatMap((domain, position) => (isIncluded(domain) ? [position + 1] : []));
    return positions[Math.ceil(positions.length / 2) - 1] ?? null;
  };
  const [reported, others] = [
    medianPosition((domain) => reportedLoops.has(domain)),
    medianPosition((domain) => !reportedLoops.has(domain)),
  ];
  if (reported === null || others === null) return '';
  return `Half of the ${reportedLoops.size} hosts that a list reports as Loops were among the first ${reported} visits; half of the others, among the first ${others}.\n`;
}

export function outcomeText(hosts: readonly FleetHost[], differences: readonly string[]): string {
  const loops = hosts.filter(({ expect }) => expect?.verdict === 'loops').length;
  if (differences.length > 0)
    return `${differences.length} verdicts differ from the expectation of the fleet:\n  ${differences.join('\n  ')}\n`;
  return `All ${loops} Loops servers of the fleet were identified, and no other host (of ${hosts.length - loops}) was identified as one.\n`;
}
