import type { Step } from '../model/step.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { isFailure } from '../schedule/transition.ts';
import type { StoredVisit, StoreReader } from '../store/store-reader.ts';
import type { VantagePoint, Worker } from './explanation.ts';
import { explainStep } from './words.ts';

/**
 * From where an instance could and could not be reached at the newest of these visits that was made from several vantage points; empty
 * when there is no such visit.
 *
 * @param visits newest first.
 */
export function explainVantagePoints(
  visits: readonly StoredVisit[],
  reader: Pick<StoreReader, 'workers'>,
): VantagePoint[] {
  const visit = visits.find(({ steps }) => steps?.some(({ from }) => from !== undefined));
  if (visit === undefined) return [];
  const lastSteps = new Map<string, Step>();
  for (const step of visit.steps ?? []) if (step.from !== undefined) lastSteps.set(step.from, step);
  const decisiveName = [...lastSteps.keys()].at(-1);
  const workers = reader.workers().map(describeWorker);
  return [...lastSteps].map(([name, step]) => {
    const { what, came } = explainStep(step);
    return {
      name,
      at: new Date(visit.at).toISOString(),
      reached: name === decisiveName && !isFailure(visit.verdict, true),
      means: `${what}: ${came}`,
      worker: workers.find((worker) => worker.name === name) ?? null,
    };
  });
}

/** A worker as published. */
export function describeWorker(worker: WorkerRecord): Worker {
  return { ...worker, lastSeen: new Date(worker.lastSeen).toISOString() };
}

/** The steps that led to the verdict: the DNS look-up, and the requests from the last vantage point. */
export function decisiveSteps(steps: readonly Step[] | null): readonly Step[] | null {
  const last = steps?.at(-1)?.from;
  return last === undefined ? steps : (steps?.filter(({ from }) => from === undefined || from === last) ?? null);
}
