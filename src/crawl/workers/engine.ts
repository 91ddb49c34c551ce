import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import type { WorkerIdentity } from './roster.ts';

/** The job engine cannot be used. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind = 'failure';
}

/** The schema of pg-boss in the database. */
const SCHEMA = 'loopscout';
/** The queue of the visit tasks of all crawling processes. It holds at most one task per host. */
export const TASKS = 'visits';

/** Interval at which crawling processes and workers report to the registry of the engine that they are alive. */
const HEARTBEAT_SECONDS = 4;
/** A task whose worker does not renew its lease for this long is lost. pg-boss requires at least 10 s. */
export const LEASE_SECONDS = 15;
/** A query that PostgreSQL has not answered by then has failed. */
const QUERY_TIMEOUT_MS = 10_000;

export interface WarningLog {
  warn(message: string): void;
}

/** The name of a worker in the registry of the engine. */
export function nameWorker({ name, version }: WorkerIdentity): string {
  return `worker ${name} ${version}`;
}

/** A task in the engine. */
export interface StoredTask {
  state: JobWithMetadata['state'] | 'absent';
  /** The result of an ended task; null when there is none, or it is longer than allowed. */
  output: unknown;
}

/**
 * Looks up a task. PostgreSQL leaves out the data of the task, and a result that is too long, so that neither takes memory here.
 *
 * @param maxResultBytes maximum length of the result as JSON.
 */
export async function findTask(boss: PgBoss, id: string, maxResultBytes: number): Promise<StoredTask> {
  const db: Db = {
    executeSql: (text, values) =>
      boss
        .getDb()
        .executeSql(
          `select state, case when octet_length(output::text) <= ${maxResultBytes} then output end as output from (${text}) as job`,
          values,
        ),
  };
  const [task] = await boss.findJobs(TASKS, { id, db });
  return task ?? { state: 'absent', output: null };
}

/** The workers that are alive, of any version. */
export async function listWorkers(boss: PgBoss): Promise<WorkerIdentity[]> {
  const instances = await boss.getInstances();
  return instances.flatMap((instance) => {
    const [kind, name = '', version = ''] = instance.name?.split(' ') ?? [];
    return instance.live && kind === 'worker' ? [{ name, version }] : [];
  });
}

/**
 * Opens the job engine: PostgreSQL with pg-boss.
 *
 * @param log warned when the engine does not respond.
 * @param name of this process in the registry of the engine.
 * @throws {EngineError}
 */
export async function openEngine(url: string, log: WarningLog, name = 'crawl'): Promise<PgBoss> {
  // Checked first, because the driver's error for an invalid URL could quote the URL with its password.
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new EngineError('the job engine cannot be used: its URL is not a postgres:// URL');
  const { PgBoss } = await importPgBoss();
  let boss: PgBoss | null = null;
  try {
    boss = new PgBoss({
      connectionString: url,
      application_name: 'loopscout',
      // pg-boss passes its options on to pg, but its type lacks this one.
      ...{ query_timeout: QUERY_TIMEOUT_MS },
      instanceName: name,
      instanceHeartbeatSeconds: HEARTBEAT_SECONDS,
      schema: SCHEMA,
      max: 4,
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
    });
    boss.on('error', (error) => log.warn(`the job engine has a problem: ${withoutPassword(messageOf(error), url)}`));
    await boss.start();
    await boss.createQueue(TASKS, { policy: 'exclusive', retryLimit: 0, deleteAfterSeconds: 60 });
    return boss;
  } catch (error) {
    await boss?.stop({ graceful: false }).catch(() => undefined);
    throw new EngineError(`the job engine cannot be used: ${withoutPassword(messageOf(error), url)}`);
  }
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
