import type { Report } from '../../report.ts';

/** What a badge says. */
export interface BadgeWords {
  label: string;
  message: string;
  color: 'brightgreen' | 'yellow' | 'red' | 'lightgrey';
}

/** What of a report a badge tells. */
export type BadgeSource = Pick<Report, 'verdict' | 'counts' | 'offline'>;

/** A report in a word or two. They are ours alone; nothing that a server says is in them. */
export function badgeWords({ verdict, counts, offline }: BadgeSource): BadgeWords {
  const { fail, warn } = counts;
  const label = 'loops check';
  if (offline) return { label, message: 'not checked', color: 'lightgrey' };
  if (verdict !== 'loops')
    return { label, message: verdict === 'unreachable' ? 'unreachable' : 'not seen as Loops', color: 'red' };
  if (fail > 0) return { label, message: `${fail} failing`, color: 'red' };
  if (warn > 0) return { label, message: `passing, ${warn} ${warn === 1 ? 'warning' : 'warnings'}`, color: 'yellow' };
  return { label, message: 'passing', color: 'brightgreen' };
}
