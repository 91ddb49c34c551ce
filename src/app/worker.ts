import { createVisitByTask } from '../crawl/workers/visit-by-task.ts';
import { type WorkOptions, work } from '../crawl/workers/work.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';
import { createNetwork } from './network.ts';

/** Runs visits for crawling processes until the signal aborts. @throws {EngineError} {WorkerMismatchError} {CaFileError} */
export async function runWorker(
  settings: Settings,
  options: Pick<WorkOptions, 'url' | 'name' | 'concurrency' | 'log' | 'onVisited' | 'signal'>,
): Promise<void> {
  const clock = () => performance.now();
  const { connectivity, isOnline, guard } = createNetwork(settings, { now: Date.now, clock });
  const visit = createVisitByTask(settings.network, clock);
  const { isHostAtFault } = connectivity;
  await work({ ...options, version: VERSION, visit, guard, isHostAtFault, isOnline, clock });
}
