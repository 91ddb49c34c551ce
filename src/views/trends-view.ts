import type { Directory } from './directory.ts';
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

type Current = ReturnType<Directory['current']>;
const viewsByHistory = new WeakMap<StatsHistory, { current: Current; view: TrendsView }>();

/** The same object until the directory changes. @throws {DirectoryNotReadError} */
export function currentTrends(directory: Directory): TrendsView {
  const [history, current] = [directory.history(), directory.current()];
  const found = viewsByHistory.get(history);
  if (found?.current === current) return found.view;
  const view = trendsViewOf({ ...current, history });
  viewsByHistory.set(history, { current, view });
  return view;
}
