import { originOf } from '../domain/domain.ts';
import type { Withholding } from '../domain/withhold-names.ts';
import type { OptOutGuard } from '../http/opt-out-guard.ts';
import { withoutCutLine } from '../http/robots.ts';
import type { Step } from '../record/step.ts';
import type { Visit } from '../record/visit.ts';

/** A visit whose steps, pointers and robots.txt name nobody who has opted out; of its documents, that is seen to before they are read. */
export function withholdVisit(
  visit: Visit,
  { isOptedOut, withholding }: { isOptedOut: OptOutGuard; withholding: Withholding },
): Visit {
  const { steps, host, robots } = visit;
  const { pointsTo } = host;
  const isWithheld = pointsTo !== null && isOptedOut(new URL(originOf(pointsTo)));
  const body = robots?.body ?? null;
  return {
    ...visit,
    steps: withholdSteps(steps, withholding),
    host: isWithheld ? { ...host, pointsTo: null } : host,
    robots: robots === null || body === null ? robots : { ...robots, body: withholding.inBody(withoutCutLine(body)) },
  };
}

/** A URL may name another host in its path, a note the names of a certificate. */
function withholdSteps(steps: readonly Step[], { inText }: Withholding): readonly Step[] {
  const text = JSON.stringify(steps);
  const told = inText(text);
  return told === text ? steps : (JSON.parse(told) as Step[]);
}
