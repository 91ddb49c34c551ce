import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { siteOf } from '../../model/domain/registrable-domain.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import {
  deleteOrphanedQueues,
  type Engine,
  EngineError,
  LEASE_SECONDS,
  listWorkers,
  messageOf,
  nameResultsQueue,
  openEngine,
  SCHEMA,
  TASKS,
} from './engine.ts';
import { encodeBytes, parseResult, type TaskMessage } from './engine-messages.ts';
import { createRoster } from './roster.ts';
import { VisitError } from './visit-error.ts';
import type { Visitors, VisitResult, VisitTask } from './visit-task.ts';

export interface EngineVisitorsOptions {
  url: string;
  /** The version of this program, which workers must have too. */
  version: string;
  /** Maximum duration of a visit with its waits, in milliseconds. */
  budgetMs: number;
  /** Called when the engine does not respond, when a worker is lost and when a result is refused. */
  onTrouble: (message: string) => void;
  /** Stores what is new about the workers; the counts are those since the last call. */
  onWorkers: (workers: readonly WorkerRecord[]) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/** The engine expires a task this much later than its worker stops. */
const GRACE_MS = 2_000;
/** Pause between two fetches of results. */
const POLL_MS = 50;
/** Pause before a failed call is repeated, or a task that the engine did not accept is sent again. */
const RETRY_MS = 500;
/** A task without a result is looked up after this time, and again after each such time. */
const LOOK_UP_MS = 2_000;
/** Interval at which the registry of the engine is read. */
const REGISTRY_MS = 5_000;
const BATCH = 100;

interface Pending extends PromiseWithResolvers<VisitResult> {
  task: VisitTask;
  /** Whether the engine has the task. */
  isSent: boolean;
  lookUpAt: number;
  /** Whether the engine lacked the task at the last look-up: the result may have arrived in between. */
  wasMissing: boolean;
}

/** Visitors on other machines, through a job engine. The engine holds at most one task for a host at a time, of all crawling processes. */
export function createEngineVisitors(options: EngineVisitorsOptions): Visitors {
  const { url, version, budgetMs, onTrouble, clock } = options;
  const roster = createRoster(options.now);
  let session: ReturnType<typeof openSession> | null = null;

  function storeRoster(): void {
    const changes = roster.takeChanges();
    if (changes.length > 0) options.onWorkers(changes);
  }

  function openSession() {
    const pending = new Map<string, Pending>();
    const resultsTo = nameResultsQueue();
    let isClosed = false;
    let isPolling = false;
    let isAnswering = true;
    const opened = openEngine(url, onTrouble, resultsTo);
    const ready = opened.then(() => persist(readRegistry)).then(() => persist(deleteOrphanedQueues));
    const registryTimer = setInterval(() => {
      // Another call reports that the engine does not answer.
      opened.then(readRegistry).catch(() => undefined);
    }, REGISTRY_MS);

    async function readRegistry(engine: Engine): Promise<void> {
      // Another crawling process may have deleted the queue while this one was suspended.
      await engine.boss.createQueue(resultsTo, { retryLimit: 0, retentionSeconds: 3_600 });
      roster.setAlive(await listWorkers(engine));
      storeRoster();
    }

    /** Calls the engine until it responds; undefined when the session is closed first. */
    async function persist<T>(call: (engine: Engine) => Promise<T>): Promise<T | undefined> {
      const engine = await opened;
      while (!isClosed) {
        try {
          const answer = await call(engine);
          isAnswering = true;
          return answer;
        } catch (error) {
          if (isAnswering && !isClosed) onTrouble(`the job engine does not answer: ${messageOf(error)}`);
          isAnswering = false;
          await delay(RETRY_MS);
        }
      }
      return undefined;
    }

    async function send(id: string, visit: Pending): Promise<void> {
      const { task } = visit;
      const message: TaskMessage = { version, resultsTo, budgetMs, task };
      const data = encodeBytes(message) as object;
      const expireInSeconds = Math.ceil((budgetMs + GRACE_MS) / 1_000);
      const job = { id, data, singletonKey: siteOf(task.domain), expireInSeconds, heartbeatSeconds: LEASE_SECONDS };
      while (pending.has(id)) {
        if (await persist((engine) => engine.send(TASKS, job))) break;
        // Another task for this host has not ended; or this one was stored although the engine did not answer.
        const [stored] = (await persist(({ boss }) => boss.findJobs(TASKS, { id }))) ?? [];
        if (stored !== undefined) break;
        await delay(RETRY_MS);
      }
      visit.isSent = true;
      visit.lookUpAt = clock() + LOOK_UP_MS;
      // The visit was cancelled while its task was being sent.
      if (!pending.has(id)) await persist(() => withdraw([id]));
    }

    /** Removes the tasks that no worker has begun, and rejects their visits. The others keep their hosts reserved until they end. */
    async function withdraw(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      const sql = `delete from ${SCHEMA}.job where name = $1 and id = any($2::uuid[]) and state < 'active' returning id`;
      const { rows } = await (await opened).boss.getDb().executeSql(sql, [TASKS, ids]);
      for (const { id } of rows) cancel(String(id));
    }

    function cancel(id: string): void {
      pending.get(id)?.reject(new VisitError('not-visited', 'the visit was cancelled'));
      pending.delete(id);
    }

    async function cancelWaiting(): Promise<void> {
      for (const [id, { isSent }] of pending) if (!isSent || !isAnswering) cancel(id);
      await withdraw([...pending.keys()]).catch(() => {
        for (const id of pending.keys()) cancel(id);
      });
    }

    async function poll(): Promise<void> {
      if (isPolling) return;
      isPolling = true;
      while (pending.size > 0 && !isClosed) {
        const jobs = (await persist(({ boss }) => boss.fetch<object>(resultsTo, { batchSize: BATCH }))) ?? [];
        for (const { data } of jobs) settle(data);
        const settledIds = jobs.map(({ id }) => id);
        if (settledIds.length > 0) await persist(({ boss }) => boss.deleteJob(resultsTo, settledIds));
        if (jobs.length === BATCH) continue;
        await lookUp();
        await delay(POLL_MS);
      }
      isPolling = false;
    }

    function settle(data: unknown): void {
      const message = parseResult(data);
      if (message === null) {
        onTrouble('a worker sent a malformed result; the visit is repeated after its lease');
        return;
      }
      const { job, result, worker } = message;
      const visit = pending.get(job);
      // A late or second result.
      if (visit === undefined) return;
      if (result.kind === 'visited' && result.visit.domain !== visit.task.domain) {
        onTrouble(`worker ${worker.name} sent the visit of another domain; the visit is repeated after its lease`);
        return;
      }
      if (result.kind === 'unvisited') onTrouble(`worker ${worker.name}: ${result.why}`);
      if (result.kind !== 'needs') roster.count(worker, result.kind === 'visited' ? 'visits' : 'errors');
      pending.delete(job);
      visit.resolve(result);
    }

    /** Rejects the visits whose tasks expired in the engine or left it. */
    async function lookUp(): Promise<void> {
      const at = clock();
      const due = [...pending].filter(([, { lookUpAt }]) => lookUpAt <= at);
      if (due.length === 0) return;
      const ids = due.map(([id]) => id);
      const sql = `select id from ${SCHEMA}.job where name = $1 and id = any($2::uuid[]) and (state < 'active' or (state = 'active'
        and started_on + make_interval(secs => expire_seconds) > now()
        and heartbeat_on + make_interval(secs => heartbeat_seconds) > now()))`;
      const found = await persist(({ boss }) => boss.getDb().executeSql(sql, [TASKS, ids]));
      if (found === undefined) return;
      const alive = new Set(found.rows.map(({ id }) => String(id)));
      for (const [id, visit] of due) {
        visit.lookUpAt = at + LOOK_UP_MS;
        if (alive.has(id)) visit.wasMissing = false;
        else if (!visit.wasMissing) visit.wasMissing = true;
        else if (pending.delete(id)) {
          onTrouble(`a worker did not end the visit of ${visit.task.domain} in time; it is repeated`);
          await persist(({ boss }) => boss.deleteJob(TASKS, id));
          visit.reject(new VisitError('lost', 'the lease of the visit expired'));
        }
      }
    }

    async function close(): Promise<void> {
      const ids = [...pending.keys()];
      for (const id of ids) cancel(id);
      isClosed = true;
      clearInterval(registryTimer);
      storeRoster();
      const engine = await opened.catch(() => null);
      if (engine === null) return;
      try {
        await withdraw(ids);
        await engine.boss.deleteQueue(resultsTo);
      } catch {
        // The engine is gone; it expires the tasks by itself.
      }
      await engine.close().catch(() => undefined);
    }

    return {
      close,
      ready,
      cancelWaiting,
      visit(task: VisitTask): Promise<VisitResult> {
        const id = randomUUID();
        if (isClosed) return Promise.reject(new VisitError('not-visited', 'the visit was cancelled'));
        const visit: Pending = {
          ...Promise.withResolvers<VisitResult>(),
          // Looked up only after it was sent.
          ...{ task, isSent: false, lookUpAt: Number.POSITIVE_INFINITY, wasMissing: false },
        };
        pending.set(id, visit);
        void send(id, visit);
        void poll();
        return visit.promise;
      },
    };
  }

  return {
    async visit(task) {
      const current = session ?? openSession();
      session = current;
      try {
        await current.ready;
      } catch (error) {
        if (session === current) session = null;
        void current.close();
        throw error instanceof EngineError ? new VisitError('no-workers', error.message) : error;
      }
      return await current.visit(task);
    },
    cancelWaiting: () => void session?.cancelWaiting(),
    cancelAll() {
      void session?.close();
      session = null;
    },
  };
}
