import { randomUUID } from 'node:crypto';
import type { JobInsert, PgBoss } from 'pg-boss';
import { type Batch, createBatch } from './batch.ts';
import type { WorkerIdentity } from './roster.ts';

/** The job engine: PostgreSQL with pg-boss. */
export interface Engine {
  boss: PgBoss;
  /** Adds a job, together with others that are sent at about the same time. False when a queue does not accept it. */
  send(queue: string, job: JobInsert & { id: string }): Promise<boolean>;
  /** Deletes a task, together with others. */
  deleteTask(id: string): Promise<void>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** The job engine cannot be used. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind = 'failure';
}

/** The schema of pg-boss in the database. */
export const SCHEMA = 'loopscout';
/** The queue of the visit tasks of all crawling processes. It holds at most one task per host. */
export const TASKS = 'visits';

/** Interval at which crawling processes and workers report to the registry of the engine that they are alive. */
const HEARTBEAT_SECONDS = 4;
/** Without a report for this long, a worker counts as ended. */
const ALIVE_SECONDS = 15;
/** Without a report for this long, a crawling process has ended, and not only lost its connection. */
const CRAWL_GONE_SECONDS = 600;

/** A task whose worker does not renew its lease for this long is lost. pg-boss requires at least 10 s. */
export const LEASE_SECONDS = 15;

/** A new name for the queue of the results of one crawling process. */
export function nameResultsQueue(): string {
  return `results-${randomUUID()}`;
}

/** The name of a worker in the registry of the engine. */
export function nameWorker({ name, version }: WorkerIdentity): string {
  return `worker ${name} ${version}`;
}

/** The workers that are alive, of any version. */
export async function listWorkers({ boss }: Engine): Promise<WorkerIdentity[]> {
  const sql = `select distinct name from ${SCHEMA}.instance where name like 'worker %' and stopped_on is null
    and heartbeat_on > now() - make_interval(secs => $1)`;
  const { rows } = await boss.getDb().executeSql(sql, [ALIVE_SECONDS]);
  return rows.map(({ name: registered }) => {
    const [, name = '', version = ''] = String(registered).split(' ');
    return { name, version };
  });
}

/** Deletes the results queues of crawling processes that were killed. A process has the name of its queue in the registry. */
export async function deleteOrphanedQueues({ boss }: Engine): Promise<void> {
  const sql = `select name from ${SCHEMA}.queue where name like 'results-%' and not exists (select from ${SCHEMA}.instance
    where instance.name = queue.name and stopped_on is null and heartbeat_on > now() - make_interval(secs => $1))`;
  const { rows } = await boss.getDb().executeSql(sql, [CRAWL_GONE_SECONDS]);
  for (const { name } of rows) await boss.deleteQueue(String(name));
}

/**
 * @param onTrouble called when the engine does not respond.
 * @param name of this process in the registry of the engine.
 * @throws {EngineError}
 */
export async function openEngine(url: string, onTrouble: (message: string) => void, name = 'other'): Promise<Engine> {
  // Checked first, because the driver's error for an invalid URL could quote the URL with its password.
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new EngineError('the job engine cannot be used: its URL is not a postgres:// URL');
  const { PgBoss } = await importPgBoss();
  let boss: PgBoss | null = null;
  const close = async () => await boss?.stop({ graceful: false });
  try {
    boss = new PgBoss({
      connectionString: url,
      application_name: 'loopscout',
      instanceName: name,
      instanceHeartbeatSeconds: HEARTBEAT_SECONDS,
      schema: SCHEMA,
      max: 4,
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
    });
    boss.on('error', (error) => onTrouble(`the job engine has a problem: ${withoutPassword(messageOf(error), url)}`));
    await boss.start();
    await boss.createQueue(TASKS, { policy: 'exclusive', retryLimit: 0, deleteAfterSeconds: 60 });
    return { boss, close, ...createBatchedCommands(boss) };
  } catch (error) {
    await close().catch(() => undefined);
    throw new EngineError(`the job engine cannot be used: ${withoutPassword(messageOf(error), url)}`);
  }
}

/** Jobs that arrive while a statement is running are sent together in the next one. */
const BATCH = { size: 100, waitMs: 1 };

function createBatchedCommands(boss: PgBoss): Pick<Engine, 'send' | 'deleteTask'> {
  const jobs = new Map<string, Batch<{ job: JobInsert; isAccepted: boolean }>>();
  const tasks = createBatch<string>(BATCH, async (ids) => void (await boss.deleteJob(TASKS, ids)));
  const createJobs = (queue: string) =>
    createBatch<{ job: JobInsert; isAccepted: boolean }>(BATCH, async (items) => {
      const ids = await boss.insert(
        queue,
        items.map(({ job }) => job),
        { returnId: true },
      );
      const accepted = new Set(ids);
      for (const item of items) item.isAccepted = accepted.has(item.job.id ?? '');
    });
  return {
    async send(queue, job) {
      const batch = jobs.get(queue) ?? createJobs(queue);
      jobs.set(queue, batch);
      const item = { job, isAccepted: false };
      await batch.add(item);
      return item.isAccepted;
    },
    deleteTask: (id) => tasks.add(id),
  };
}

async function importPgBoss(): Promise<typeof import('pg-boss')> {
  try {
    return await import('pg-boss');
  } catch {
    throw new EngineError('the job engine needs the package pg-boss, which is not installed: npm install pg-boss');
  }
}

/** The message of an error, or its code: an AggregateError of refused connections has no message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}

function withoutPassword(message: string, url: string): string {
  const { password = '', searchParams } = URL.parse(url) ?? {};
  const secrets = [password, decoded(password), searchParams?.get('password') ?? ''];
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '***')), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
