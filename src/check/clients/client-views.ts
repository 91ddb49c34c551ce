import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { bestEffortNodeInfoView } from './best-effort-nodeinfo-view.ts';
import { loopscoutView } from './loopscout-view.ts';
import { officialAppView } from './official-app-view.ts';
import { strictNodeInfoView } from './strict-nodeinfo-view.ts';

/** How each kind of client would see the server. Pure. */
export function clientViews(evidence: Evidence): ClientView[] {
  return [loopscoutView, officialAppView, strictNodeInfoView, bestEffortNodeInfoView].map((view) => view(evidence));
}
