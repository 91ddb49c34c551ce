import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Directory } from '../../directory/directory.ts';
import type { Worker } from '../../directory/worker.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { HealthStatus } from '../resources/health.ts';

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Measurements of one response. */
export interface Measurement {
  /** Path of the endpoint or page; undefined for an unknown path. */
  path?: string | undefined;
  method: string;
  status: number;
  seconds: number;
}

interface MetricsInput {
  readonly health: () => HealthStatus;
  readonly reader: StoreReader;
  readonly directory: Directory;
}

const UNKNOWN_PATH = 'none';
/** Other methods are counted as `other`, since clients can invent any. */
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Prometheus metrics of this server and the crawler. Other servers in this process have their own. */
export class Metrics {
  readonly #version: string;
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    ...{ name: 'loopscout_http_requests_total', help: 'Requests answered.', registers: [this.#registry] },
    labelNames: ['path', 'method', 'status'],
  });
  readonly #durations = new Histogram({
    ...{ name: 'loopscout_http_request_duration_seconds', labelNames: ['path'], buckets: BUCKETS },
    help: 'Time from the head of a request until its answer is handed to the connection.',
    registers: [this.#registry],
  });

  constructor(version: string) {
    this.#version = version;
  }

  count({ path = UNKNOWN_PATH, method, status, seconds }: Measurement): void {
    this.#requests.inc({ path, method: METHODS.has(method) ? method : 'other', status });
    this.#durations.observe({ path }, seconds);
  }

  async read(input: MetricsInput): Promise<{ type: string; text: string }> {
    const texts = [await this.#registry.metrics(), await currentValues(this.#version, input).metrics()];
    return { type: this.#registry.contentType, text: texts.join('\n') };
  }
}

type Labels = Readonly<Record<string, string>>;
/** A value with its labels. Unknown values are omitted, not 0. */
type Sample = readonly [value: number, labels?: Labels];

/** The values that are read when they are asked for. */
function currentValues(version: string, { health, reader, directory }: MetricsInput): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, samples: readonly Sample[]) => {
    const metric = new Gauge({ name, help, labelNames: labelsOf(samples), registers });
    for (const [value, labels = {}] of samples) metric.set(labels, value);
  };
  const counter = (name: string, help: string, samples: readonly Sample[]) => {
    const metric = new Counter({ name, help, labelNames: labelsOf(samples), registers });
    for (const [value, labels = {}] of samples) metric.inc(labels, value);
  };
  const { status, backlog = {}, visits, workers = [] } = health();
  const [{ at, counts }, domainTotals] = [directory.snapshot(), directory.domainTotals()];
  const { user, system } = process.cpuUsage();
  gauge('loopscout_info', 'Always 1.', [[1, { version }]]);
  gauge('process_resident_memory_bytes', 'Resident memory.', [[process.memoryUsage.rss()]]);
  counter('process_cpu_seconds_total', 'Processor time, user and system.', [[(user + system) / 1_000_000]]);
  gauge('loopscout_healthy', 'Whether the service works: 1 or 0.', [[status === 'failing' ? 0 : 1]]);
  counter('loopscout_visits_recorded_total', 'Id of the last recorded visit; ids ascend.', [[reader.visits.lastId()]]);
  counter('loopscout_changes_recorded_total', 'Id of the last recorded change; ids ascend.', [
    [reader.changes.lastId()],
  ]);
  gauge('loopscout_instances', 'Listed instances.', byLabel('status', { up: counts.up, down: counts.down }));
  gauge('loopscout_domains', 'Known domains, by state.', byLabel('state', domainTotals.counts.states));
  gauge(
    'loopscout_domains_visited',
    'Visited domains, by the verdict of their last visit.',
    byLabel('verdict', domainTotals.counts.verdicts),
  );
  gauge('loopscout_directory_read_seconds', 'When the directory was last read, seconds since the epoch.', [
    [at / 1_000],
  ]);
  const lanes = Object.entries(backlog);
  const due = Object.fromEntries(lanes.map(([lane, { due }]) => [lane, due]));
  const late = Object.fromEntries(lanes.map(([lane, { lateSeconds }]) => [lane, lateSeconds]));
  gauge('loopscout_domains_due', 'Due domains, by kind.', byLabel('line', due));
  gauge(
    'loopscout_domains_late_seconds',
    'How long the oldest due domain has been due, by kind.',
    byLabel('line', late),
  );
  gauge('loopscout_visits_last_hour', 'Visits of the last hour, by verdict.', byLabel('verdict', visits?.byVerdict));
  if (workers.length === 0) return registry;
  const byWorker = (value: (worker: Worker) => number): Sample[] =>
    workers.map((worker) => [value(worker), { worker: worker.name }]);
  gauge(
    'loopscout_worker_info',
    'The version of each worker; always 1.',
    workers.map((worker) => [1, { worker: worker.name, version: worker.version }]),
  );
  counter(
    'loopscout_worker_visits_total',
    'Visits carried out, by worker.',
    byWorker(({ visits }) => visits),
  );
  counter(
    'loopscout_worker_errors_total',
    'Visit tasks that ended without a visit, by worker.',
    byWorker(({ errors }) => errors),
  );
  gauge(
    'loopscout_worker_last_seen_seconds',
    'When the worker was last known to run, seconds since the epoch.',
    byWorker(({ lastSeen }) => Date.parse(lastSeen) / 1_000),
  );
  return registry;
}

function labelsOf(samples: readonly Sample[]): string[] {
  // A metric without labels is 0 until it is set.
  return samples.length === 0 ? ['none'] : Object.keys(samples[0]?.[1] ?? {});
}

function byLabel(label: string, counts: Readonly<Record<string, number | null>> = {}): Sample[] {
  return Object.entries(counts).flatMap(([key, value]) => (value === null ? [] : [[value, { [label]: key }] as const]));
}
