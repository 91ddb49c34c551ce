import type { StatsHistory } from './history/stats-history.ts';
import type { Snapshot } from './snapshot.ts';
import { softwareOf } from './software.ts';
import { statsOf } from './stats.ts';
import type { Survey } from './survey.ts';
import { type Trends, trendsOf } from './trends.ts';

/** The statistics of now and over time. */
export interface TrendsView {
  readonly trends: Trends;
  /** As in `/api/v1/stats`. */
  readonly stats: ReturnType<typeof statsOf>;
  /** As in `/api/v1/software`. */
  readonly software: ReturnType<typeof softwareOf>;
}

interface Inputs {
  readonly snapshot: Snapshot;
  readonly survey: Survey;
  readonly history: StatsHistory;
}

export function trendsViewOf({ snapshot, survey, history }: Inputs): TrendsView {
  return { trends: trendsOf(history), stats: statsOf(snapshot, survey), software: softwareOf(survey) };
}
