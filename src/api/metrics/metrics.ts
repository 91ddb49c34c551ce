import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Directory } from '../../views/directory.ts';
import type { HealthStatus } from '../resources/health.ts';

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const NAME = 'loopscout_http_request_duration_seconds';

interface Histogram {
  /** Counts per bucket, not cumulative; the last has no upper bound. */
  readonly buckets: number[];
  sum: number;
}

/** A histogram per path with the output format of prom-client, whose own histogram is slow compared with a cached response. */
class Durations {
  private readonly counted = new Map<string, Histogram>();
  private readonly help: string;

  constructor(help: string) {
    this.help = help;
  }

  add(path: string, seconds: number): void {
    let counted = this.counted.get(path);
    if (counted === undefined) {
      counted = { buckets: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
      this.counted.set(path, counted);
    }
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
    counted.sum += seconds;
  }

  /** A registry needs only the name of a metric and `get`. */
  register(registry: Registry): void {
    const get = async () => ({
      name: NAME,
      help: this.help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.counted].flatMap(([path, counted]) => valuesOf(path, counted)),
    });
    registry.registerMetric({ name: NAME, get, reset: () => this.counted.clear() } as unknown as Metric);
  }
}

interface Value {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

function valuesOf(path: string, { buckets, sum }: Histogram): Value[] {
  let count = 0;
  const bounded = buckets.map((own, index): Value => {
    count += own;
    return { metricName: `${NAME}_bucket`, labels: { path, le: BOUNDS[index] ?? '+Inf' }, value: count };
  });
  return [
    ...bounded,
    { metricName: `${NAME}_sum`, labels: { path }, value: sum },
    { metricName: `${NAME}_count`, labels: { path }, value: count },
  ];
}

/** Measurements of one response. */
export interface Measurement {
  /** Path of the endpoint; undefined for an unknown path. */
  path?: string | undefined;
  method: string;
  status: number;
  seconds: number;
}

/** Prometheus metrics of this server and the crawler. Other servers in this process have their own. */
export interface Metrics {
  count(measurement: Measurement): void;
  read(input: MetricsInput): Promise<{ type: string; text: string }>;
}

const UNKNOWN_PATH = 'none';
/** Other methods are counted as `other`, since clients can invent any. */
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'loopscout_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['path', 'method', 'status'],
    registers,
  });
  const durations = new Durations('Time from the head of a request until its answer is handed to the connection.');
  durations.register(registry);
  const info = new Gauge({ name: 'loopscout_info', help: 'Always 1.', labelNames: ['version'], registers });
  info.set({ version }, 1);
  const memory: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect: () => memory.set(process.memoryUsage.rss()),
  });
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1_000_000);
    },
  });
  const updateCrawlerMetrics = createCrawlerMetrics(registry);
  const counts = new Map<string, number>();

  return {
    count({ path = UNKNOWN_PATH, method, status, seconds }) {
      const key = `${path} ${METHODS.has(method) ? method : 'other'} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      durations.add(path, seconds);
    },
    async read(input) {
      requests.reset();
      for (const [key, count] of counts) {
        const [path = '', method = '', status = ''] = key.split(' ');
        requests.inc({ path, method, status }, count);
      }
      updateCrawlerMetrics(input);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

interface MetricsInput {
  readonly health: () => HealthStatus;
  readonly reader: Pick<StoreReader, 'lastVisitId' | 'lastChangeId'>;
  readonly directory: Directory;
}

/** Creates the metrics of the crawler; the result updates them. Unknown values are omitted, not 0. */
function createCrawlerMetrics(registry: Registry): (input: MetricsInput) => void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `loopscout_${name}`, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string) =>
    new Counter({ name: `loopscout_${name}`, help, registers: [registry] });
  const healthy = gauge('healthy', 'Whether the service works: 1 or 0.');
  const recorded = counter('visits_recorded_total', 'Id of the last recorded visit; ids ascend.');
  const changed = counter('changes_recorded_total', 'Id of the last recorded change; ids ascend.');
  const instances = gauge('instances', 'Listed instances.', 'status');
  const states = gauge('domains', 'Known domains, by state.', 'state');
  const verdicts = gauge('domains_visited', 'Visited domains, by the verdict of their last visit.', 'verdict');
  const read = gauge('directory_read_seconds', 'When the directory was last read, seconds since the epoch.');
  const due = gauge('domains_due', 'Due domains, by priority lane.', 'line');
  const late = gauge('domains_late_seconds', 'How long the oldest due domain has been due, by priority lane.', 'line');
  const visits = gauge('visits_last_hour', 'Visits of the last hour, by verdict.', 'verdict');

  return ({ health, reader, directory }) => {
    const current = health();
    healthy.set(current.status === 'failing' ? 0 : 1);
    for (const metric of [recorded, changed, due, late, visits]) metric.reset();
    recorded.inc(reader.lastVisitId());
    changed.inc(reader.lastChangeId());
    for (const [line, { due: count, lateSeconds }] of Object.entries(current.backlog ?? {})) {
      due.set({ line }, count);
      if (lateSeconds !== null) late.set({ line }, lateSeconds);
    }
    for (const [verdict, count] of Object.entries(current.visits?.byVerdict ?? {})) visits.set({ verdict }, count);
    const { snapshot, survey } = directory.current();
    read.set(snapshot.at / 1_000);
    const down = snapshot.instances.filter(({ entry }) => entry.status === 'down').length;
    instances.set({ status: 'up' }, snapshot.instances.length - down);
    instances.set({ status: 'down' }, down);
    for (const [state, count] of Object.entries(survey.counts.states)) states.set({ state }, count);
    for (const [verdict, count] of Object.entries(survey.counts.verdicts)) verdicts.set({ verdict }, count);
  };
}
