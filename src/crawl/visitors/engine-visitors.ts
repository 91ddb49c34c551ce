import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { siteOf } from '../../model/domain/registrable-domain.ts';
import {
  type Engine,
  EngineError,
  LEASE_SECONDS,
  messageOf,
  nameResultsQueue,
  ORDERS,
  openEngine,
  SCHEMA,
} from './engine.ts';
import { encodeBytes, type OrderMessage, parseResult } from './engine-messages.ts';
import {
  NotVisitedError,
  NoVisitorError,
  type VisitOrder,
  VisitorLostError,
  type Visitors,
  type VisitResult,
} from './visit-order.ts';

export interface EngineVisitorsOptions {
  url: string;
  /** The version of this program, which workers must have too. */
  version: string;
  /** Maximum duration of a visit with its waits, in milliseconds. */
  budgetMs: number;
  /** Called when the engine does not answer, when a worker is lost and when a result is refused. */
  onTrouble: (message: string) => void;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/** The engine expires an order this much later than its worker stops. */
const GRACE_MS = 2_000;
/** Pause between two looks for results, and before an order is sent again. */
const POLL_MS = 50;
const RETRY_MS = 500;
/** An order without a result is looked up after this time, and again after each such time. */
const LOOK_UP_MS = 2_000;
const BATCH = 100;

interface Pending extends PromiseWithResolvers<VisitResult> {
  order: VisitOrder;
  lookUpAt: number;
  /** It was missing at the last look-up: its result may have arrived in between. */
  wasMissing: boolean;
}

/** Visitors on other machines, through a job engine. The engine holds at most one order for a host at a time, of all schedulers. */
export function createEngineVisitors({ url, version, budgetMs, onTrouble, clock }: EngineVisitorsOptions): Visitors {
  let session: ReturnType<typeof openSession> | null = null;

  function openSession() {
    const pending = new Map<string, Pending>();
    const resultsTo = nameResultsQueue();
    let isClosed = false;
    let isPolling = false;
    let isAnswering = true;
    const opened = openEngine(url, onTrouble).then(async (engine) => {
      await engine.boss.createQueue(resultsTo, { retryLimit: 0, retentionSeconds: 3_600 });
      return engine;
    });

    /** Calls the engine until it answers; undefined when the session is closed first. */
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

    async function send(id: string, { order }: Pending): Promise<void> {
      const message: OrderMessage = { version, resultsTo, budgetMs, order };
      const data = encodeBytes(message) as object;
      const expireInSeconds = Math.ceil((budgetMs + GRACE_MS) / 1_000);
      const options = { id, singletonKey: siteOf(order.domain), expireInSeconds, heartbeatSeconds: LEASE_SECONDS };
      while (pending.has(id)) {
        const sent = await persist(({ boss }) => boss.send(ORDERS, data, options));
        if (sent === id) return;
        // Another order for this host has not ended; or this one was stored although the engine did not answer.
        const [stored] = (await persist(({ boss }) => boss.findJobs(ORDERS, { id }))) ?? [];
        if (stored !== undefined) return;
        await delay(RETRY_MS);
      }
    }

    async function poll(): Promise<void> {
      if (isPolling) return;
      isPolling = true;
      while (pending.size > 0 && !isClosed) {
        const jobs = (await persist(({ boss }) => boss.fetch<object>(resultsTo, { batchSize: BATCH }))) ?? [];
        for (const { data } of jobs) settle(data);
        const done = jobs.map(({ id }) => id);
        if (done.length > 0) await persist(({ boss }) => boss.deleteJob(resultsTo, done));
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
      if (result.kind === 'visited' && result.visit.domain !== visit.order.domain) {
        onTrouble(`worker ${worker.name} sent the visit of another domain; the visit is repeated after its lease`);
        return;
      }
      if (result.kind === 'unvisited') onTrouble(`worker ${worker.name}: ${result.why}`);
      pending.delete(job);
      visit.resolve(result);
    }

    /** Rejects the visits whose orders are no longer in the engine. */
    async function lookUp(): Promise<void> {
      const at = clock();
      const due = [...pending].filter(([, { lookUpAt }]) => lookUpAt <= at);
      if (due.length === 0) return;
      const ids = due.map(([id]) => id);
      const sql = `select id from ${SCHEMA}.job where name = $1 and id = any($2::uuid[]) and (state < 'active' or (state = 'active'
        and started_on + make_interval(secs => expire_seconds) > now()
        and heartbeat_on + make_interval(secs => heartbeat_seconds) > now()))`;
      const found = await persist(({ boss }) => boss.getDb().executeSql(sql, [ORDERS, ids]));
      if (found === undefined) return;
      const alive = new Set(found.rows.map(({ id }) => String(id)));
      for (const [id, visit] of due) {
        visit.lookUpAt = at + LOOK_UP_MS;
        if (alive.has(id)) visit.wasMissing = false;
        else if (!visit.wasMissing) visit.wasMissing = true;
        else if (pending.delete(id)) {
          onTrouble(`a worker did not end the visit of ${visit.order.domain} in time; it is repeated`);
          await persist(({ boss }) => boss.deleteJob(ORDERS, id));
          visit.reject(new VisitorLostError('the lease of the visit expired'));
        }
      }
    }

    async function close(): Promise<void> {
      const ids = [...pending.keys()];
      for (const visit of pending.values()) visit.reject(new NotVisitedError('the visit was cancelled'));
      pending.clear();
      isClosed = true;
      const engine = await opened.catch(() => null);
      if (engine === null) return;
      try {
        // Workers have not begun these. The others keep their hosts reserved until they end.
        const sql = `delete from ${SCHEMA}.job where name = $1 and id = any($2::uuid[]) and state < 'active'`;
        if (ids.length > 0) await engine.boss.getDb().executeSql(sql, [ORDERS, ids]);
        await engine.boss.deleteQueue(resultsTo);
      } catch {
        // The engine is gone; it expires the orders by itself.
      }
      await engine.close().catch(() => undefined);
    }

    return {
      close,
      opened,
      visit(order: VisitOrder): Promise<VisitResult> {
        const id = randomUUID();
        if (isClosed) return Promise.reject(new NotVisitedError('the visit was cancelled'));
        // Looked up only after it was sent.
        const lookUpAt = Number.POSITIVE_INFINITY;
        const visit: Pending = { ...Promise.withResolvers<VisitResult>(), order, lookUpAt, wasMissing: false };
        pending.set(id, visit);
        void send(id, visit).then(() => {
          visit.lookUpAt = clock() + LOOK_UP_MS;
        });
        void poll();
        return visit.promise;
      },
    };
  }

  return {
    async visit(order) {
      const current = session ?? openSession();
      session = current;
      try {
        await current.opened;
      } catch (error) {
        if (session === current) session = null;
        throw error instanceof EngineError ? new NoVisitorError(error.message) : error;
      }
      return await current.visit(order);
    },
    cancelAll() {
      void session?.close();
      session = null;
    },
  };
}
