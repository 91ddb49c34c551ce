import { REASONS } from '../../record/reason.ts';
import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';

/** How this crawler sees the server: as its visit decided. Pure. */
export function loopscoutView({ visit }: Evidence): ClientView {
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
