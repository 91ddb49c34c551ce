import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { VisitContext } from '../../identify/visit-context.ts';
import { siteOf } from '../../model/domain/registrable-domain.ts';
import type { EpochMs } from '../../model/time.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import {
  EngineError,
  findTask,
  LEASE_SECONDS,
  listWorkers,
  messageOf,
  openEngine,
  type StoredTask,
  TASKS,
  type WarningLog,
} from './engine.ts';
import { MAX_RESULT_BYTES, parseResult, type WorkerResult } from './exchange.ts';
import { createRoster } from './roster.ts';
import { VisitError } from './visit-error.ts';
import { createTask, type TaskOptions, type VisitTask } from './visit-task.ts';

export interface WorkerVisitsOptions extends TaskOptions {
  /** The URL of the engine. */
  url: string;
  /** Warned when the engine does not respond, when a worker is lost and when a result is refused. */
  log: WarningLog;
  /** Stores what is new about the workers; the counts are those since the last call. */
  store: { recordWorkers(workers: readonly WorkerRecord[]): void };
  now: () => EpochMs;
}

type Exchanges = Extract<WorkerResult, { exchanges: unknown }>;

/** The engine expires a task this much later than its worker stops. */
const GRACE_MS = 2_000;
/** The task when the engine does not answer. */
const UNKNOWN = { state: 'unknown', output: null } as const;
/** Pause between two look-ups of a task. */
const POLL_MS = 200;
/** Interval at which the registry of the engine is read. */
const REGISTRY_MS = 5_000;

/** Sends visits to workers on other machines. The engine holds at most one task for a host at a time, of all crawling processes. */
export class WorkerVisits {
  readonly #options: WorkerVisitsOptions;
  readonly #roster: ReturnType<typeof createRoster>;
  #engine: Promise<PgBoss> | null = null;
  #registryTimer: NodeJS.Timeout | undefined;
  #isAnswering = true;
  readonly #running = new Set<Promise<unknown>>();
  /** Aborted to end the visits that no worker has begun. */
  #waiting = new AbortController();
  /** Aborted to end all visits. */
  #all = new AbortController();

  constructor(options: WorkerVisitsOptions) {
    this.#options = options;
    this.#roster = createRoster(options.now);
  }

  /** @throws {VisitError} when the visit has no result. */
  async visit(host: Pick<VisitTask, 'domain' | 'addresses'>, context: VisitContext): Promise<Exchanges> {
    const task = createTask(this.#options, host, context);
    const visit = this.#run(task, this.#waiting.signal, this.#all.signal);
    this.#running.add(visit);
    try {
      return await visit;
    } finally {
      this.#running.delete(visit);
    }
  }

  /** Ends the visits that no worker has begun, or all if no result can arrive. */
  cancelWaiting(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
  }

  /** Ends all visits, and the connection. A worker may still run one; its result is ignored. */
  cancelAll(): void {
    this.#all.abort();
    this.#all = new AbortController();
    clearInterval(this.#registryTimer);
    const engine = this.#engine;
    this.#engine = null;
    this.#storeRoster();
    void Promise.allSettled(this.#running)
      .then(async () => (await engine)?.stop({ graceful: false }))
      .catch(() => undefined);
  }

  /** Sends the task, and waits until a worker has ended it. */
  async #run(task: VisitTask, waiting: AbortSignal, all: AbortSignal): Promise<Exchanges> {
    const boss = await this.#open();
    const id = randomUUID();
    let wasAccepted = false;
    for (;;) {
      // Looked up before it is sent, because the answer to an earlier `send` may have been lost.
      const { state, output } = await this.#ask(findTask(boss, id, MAX_RESULT_BYTES), UNKNOWN);
      const isCancelled = all.aborted || (waiting.aborted && state !== 'active');
      if (state === 'absent') {
        if (wasAccepted) throw this.#lost(task, 'the job engine has no such task');
        // Null while another task for this host has not ended.
        if (!isCancelled)
          wasAccepted = (await this.#ask(boss.send(TASKS, task, this.#sendOptions(id, task)), null)) !== null;
      } else if (state !== 'unknown') {
        wasAccepted = true;
        const isEnded = state !== 'created' && state !== 'active';
        // A task that a worker has begun keeps its host reserved until it ends.
        if (isEnded || (isCancelled && state === 'created')) await this.#ask(boss.deleteJob(TASKS, id), null);
        if (isEnded) return this.#accept(task, state, output);
      }
      if (isCancelled) throw new VisitError('not-visited', 'the visit was cancelled');
      await delay(POLL_MS, undefined, { signal: all }).catch(() => undefined);
    }
  }

  #sendOptions(id: string, { domain, budgetMs }: VisitTask) {
    const expireInSeconds = Math.ceil((budgetMs + GRACE_MS) / 1_000);
    return { id, singletonKey: siteOf(domain), expireInSeconds, heartbeatSeconds: LEASE_SECONDS };
  }

  /** The exchanges of an ended task. @throws {VisitError} */
  #accept(task: VisitTask, state: StoredTask['state'], output: unknown): Exchanges {
    if (state !== 'completed') throw this.#lost(task, 'its worker did not end it in time');
    const result = parseResult(output, task.domain);
    if ('problem' in result) throw this.#lost(task, `a worker sent a result that is refused: ${result.problem}`);
    const { worker } = result;
    this.#roster.count(worker, 'exchanges' in result ? 'visits' : 'errors');
    if ('exchanges' in result) return result;
    this.#options.log.warn(`worker ${worker.name}: ${result.notVisited}`);
    throw new VisitError('not-visited', result.notVisited);
  }

  #lost({ domain }: VisitTask, why: string): VisitError {
    this.#options.log.warn(`the visit of ${domain} is repeated: ${why}`);
    return new VisitError('lost', why);
  }

  /** The answer of the engine, or `unanswered` when there is none. */
  async #ask<Answer, Unanswered>(question: Promise<Answer>, unanswered: Unanswered): Promise<Answer | Unanswered> {
    try {
      const answer = await question;
      this.#isAnswering = true;
      return answer;
    } catch (error) {
      if (this.#isAnswering) this.#options.log.warn(`the job engine does not answer: ${messageOf(error)}`);
      this.#isAnswering = false;
      return unanswered;
    }
  }

  /** @throws {VisitError} when the engine cannot be used. */
  async #open(): Promise<PgBoss> {
    if (this.#engine === null) {
      const opening = openEngine(this.#options.url, this.#options.log);
      this.#engine = opening;
      this.#registryTimer = setInterval(() => void this.#readRegistry(opening), REGISTRY_MS);
      void this.#readRegistry(opening);
    }
    const engine = this.#engine;
    try {
      return await engine;
    } catch (error) {
      if (this.#engine === engine) {
        this.#engine = null;
        clearInterval(this.#registryTimer);
      }
      throw error instanceof EngineError ? new VisitError('no-workers', error.message) : error;
    }
  }

  async #readRegistry(engine: Promise<PgBoss>): Promise<void> {
    try {
      this.#roster.setAlive(await listWorkers(await engine));
      this.#storeRoster();
    } catch {
      // A visit reports that the engine does not answer.
    }
  }

  #storeRoster(): void {
    const changes = this.#roster.takeChanges();
    try {
      if (changes.length > 0) this.#options.store.recordWorkers(changes);
    } catch (error) {
      this.#options.log.warn(String(error));
    }
  }
}
