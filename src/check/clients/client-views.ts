import { REASONS } from '../../model/reason.ts';
import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { bestEffortNodeInfoView } from './best-effort-nodeinfo-view.ts';
import { officialAppView } from './official-app-view.ts';
import { strictNodeInfoView } from './strict-nodeinfo-view.ts';

export function clientViews(evidence: Evidence): ClientView[] {
  return [loopscoutView, officialAppView, strictNodeInfoView, bestEffortNodeInfoView].map((view) => view(evidence));
}

/** What this crawler sees: the result of its visit. */
function loopscoutView({ visit }: Evidence): ClientView {
  const { verdict, reason, via, software, version, aliasOf } = visit;
  const sees = verdict === 'loops' ? 'service' : verdict === 'other' ? 'other' : 'nothing';
  const means = `${REASONS[reason].means}${aliasOf === null ? '' : ` (${aliasOf})`}`;
  const flags = visit.facts?.flags ?? [];
  const flagged = flags.length === 0 ? '' : `; flagged ${flags.join(', ')}`;
  return {
    client: 'loopscout',
    sees,
    software,
    version,
    why: `Verdict ${verdict}${via === null ? '' : ` by ${via}`}: ${means}${flagged}.`,
  };
}
