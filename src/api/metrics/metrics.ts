import type { Directory } from '../../directory/directory.ts';
import type { Worker } from '../../directory/worker.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { HealthStatus } from '../resources/health.ts';

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Histogram {
  /** Counts per bucket, not cumulative; the last has no upper bound. */
  readonly buckets: number[];
  sum: number;
}

/** Measurements of one response. */
export interface Measurement {
  /** Path of the endpoint or page; undefined for an unknown path. */
  path?: string | undefined;
  method: string;
  status: number;
  seconds: number;
}

/** Prometheus metrics of this server and the crawler. Other servers in this process have their own. */
export interface Metrics {
  count(measurement: Measurement): void;
  read(input: MetricsInput): { type: string; text: string };
}

interface MetricsInput {
  readonly health: () => HealthStatus;
  readonly reader: StoreReader;
  readonly directory: Directory;
}

/** A value with its labels. Unknown values are omitted, not 0. */
type Sample = readonly [value: number, labels?: Readonly<Record<string, string | number>>, suffix?: string];

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const UNKNOWN_PATH = 'none';
/** Other methods are counted as `other`, since clients can invent any. */
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createMetrics(version: string): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Histogram>();
  return {
    count({ path = UNKNOWN_PATH, method, status, seconds }) {
      const key = `${path} ${METHODS.has(method) ? method : 'other'} ${status}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const histogram = durations.get(path) ?? { buckets: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
      durations.set(path, histogram);
      let bucket = 0;
      while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
      histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
      histogram.sum += seconds;
    },
    read: (input) => ({
      type: CONTENT_TYPE,
      text: [...serverMetrics(version, requests, durations), ...crawlerMetrics(input)].map(textOf).join('\n'),
    }),
  };
}

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.map(([value, labels = {}, suffix = '']) => {
    const pairs = Object.entries(labels).map(([label, content]) => `${label}="${escapeLabel(String(content))}"`);
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join()}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escapeLabel(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function serverMetrics(
  version: string,
  requests: ReadonlyMap<string, number>,
  durations: ReadonlyMap<string, Histogram>,
): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      ...{ name: 'loopscout_http_requests_total', type: 'counter', help: 'Requests answered.' },
      samples: [...requests].map(([key, count]) => {
        const [path = '', method = '', status = ''] = key.split(' ');
        return [count, { path, method, status }];
      }),
    },
    {
      ...{ name: 'loopscout_http_request_duration_seconds', type: 'histogram' },
      help: 'Time from the head of a request until its answer is handed to the connection.',
      samples: [...durations].flatMap(([path, histogram]) => samplesOf(path, histogram)),
    },
    { name: 'loopscout_info', type: 'gauge', help: 'Always 1.', samples: [[1, { version }]] },
    {
      ...{ name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory.' },
      samples: [[process.memoryUsage.rss()]],
    },
    {
      ...{ name: 'process_cpu_seconds_total', type: 'counter', help: 'Processor time, user and system.' },
      samples: [[(user + system) / 1_000_000]],
    },
  ];
}

function samplesOf(path: string, { buckets, sum }: Histogram): Sample[] {
  let count = 0;
  const bucketSamples = buckets.map((countInBucket, index): Sample => {
    count += countInBucket;
    return [count, { path, le: BOUNDS[index] ?? '+Inf' }, '_bucket'];
  });
  return [...bucketSamples, [sum, { path }, '_sum'], [count, { path }, '_count']];
}

function crawlerMetrics({ health, reader, directory }: MetricsInput): Metric[] {
  const { status, backlog = {}, visits, workers = [] } = health();
  const [{ at, counts }, domainTotals] = [directory.snapshot(), directory.domainTotals()];
  const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    ...{ name: `loopscout_${name}`, type: 'gauge', help, samples },
  });
  const counter = (name: string, help: string, value: number): Metric => ({
    ...{ name: `loopscout_${name}`, type: 'counter', help, samples: [[value]] },
  });
  const byLabel = (label: string, counts: Readonly<Record<string, number | null>> = {}): Sample[] =>
    Object.entries(counts).flatMap(([key, value]) => (value === null ? [] : [[value, { [label]: key }] as const]));
  const ofLanes = (select: (lane: { due: number; lateSeconds: number | null }) => number | null) =>
    byLabel('line', Object.fromEntries(Object.entries(backlog).map(([lane, counts]) => [lane, select(counts)])));
  return [
    gauge('healthy', 'Whether the service works: 1 or 0.', [[status === 'failing' ? 0 : 1]]),
    counter('visits_recorded_total', 'Id of the last recorded visit; ids ascend.', reader.lastVisitId()),
    counter('changes_recorded_total', 'Id of the last recorded change; ids ascend.', reader.lastChangeId()),
    gauge('instances', 'Listed instances.', byLabel('status', { up: counts.up, down: counts.down })),
    gauge('domains', 'Known domains, by state.', byLabel('state', domainTotals.counts.states)),
    gauge(
      'domains_visited',
      'Visited domains, by the verdict of their last visit.',
      byLabel('verdict', domainTotals.counts.verdicts),
    ),
    gauge('directory_read_seconds', 'When the directory was last read, seconds since the epoch.', [[at / 1_000]]),
    gauge(
      'domains_due',
      'Due domains, by kind.',
      ofLanes(({ due }) => due),
    ),
    gauge(
      'domains_late_seconds',
      'How long the oldest due domain has been due, by kind.',
      ofLanes(({ lateSeconds }) => lateSeconds),
    ),
    gauge('visits_last_hour', 'Visits of the last hour, by verdict.', byLabel('verdict', visits?.byVerdict)),
    ...workerMetrics(workers),
  ];
}

/** None when there are no workers. */
function workerMetrics(workers: readonly Worker[]): Metric[] {
  if (workers.length === 0) return [];
  const metric = (name: string, type: Metric['type'], help: string, value: (worker: Worker) => number): Metric => ({
    ...{ name: `loopscout_worker_${name}`, type, help },
    samples: workers.map((worker) => [value(worker), { worker: worker.name }]),
  });
  return [
    {
      ...{ name: 'loopscout_worker_info', type: 'gauge', help: 'The version of each worker; always 1.' },
      samples: workers.map(({ name, version }) => [1, { worker: name, version }]),
    },
    metric('visits_total', 'counter', 'Visits carried out, by worker.', ({ visits }) => visits),
    metric('errors_total', 'counter', 'Visit tasks that ended without a visit, by worker.', ({ errors }) => errors),
    metric(
      ...(['last_seen_seconds', 'gauge'] as const),
      'When the worker was last known to run, seconds since the epoch.',
      ({ lastSeen }) => Date.parse(lastSeen) / 1_000,
    ),
  ];
}
