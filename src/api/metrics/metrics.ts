import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Directory } from '../../views/directory.ts';
import type { Told } from '../resources/health.ts';

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const NAME = 'loopscout_http_request_duration_seconds';

interface Counted {
  /** Of each bucket alone, the last one without an upper bound. */
  readonly buckets: number[];
  sum: number;
}

/**
 * A histogram by path that costs an addition at each request: that of prom-client takes a good part of the time of an answer that is
 * ready. What it tells is the same.
 */
class Durations {
  private readonly counted = new Map<string, Counted>();
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

  /** A registry asks of a metric no more than its name and what it tells. */
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

function valuesOf(path: string, { buckets, sum }: Counted): Value[] {
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

/** What is measured of one answer. */
export interface Measured {
  /** Path of the endpoint, undefined when there was none. */
  path?: string | undefined;
  method: string;
  status: number;
  seconds: number;
}

/** Figures of this server and of the crawler, for Prometheus; none of them is shared with another server of this process. */
export interface Metrics {
  count(measured: Measured): void;
  read(sources: FigureSources): Promise<{ type: string; text: string }>;
}

const NOWHERE = 'none';
/** Others are what a client makes up. */
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
    help: 'Processor time, of user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1_000_000);
    },
  });
  const setFigures = createCrawlerFigures(registry);
  const counts = new Map<string, number>();

  return {
    count({ path = NOWHERE, method, status, seconds }) {
      const key = `${path} ${METHODS.has(method) ? method : 'other'} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      durations.add(path, seconds);
    },
    async read(sources) {
      requests.reset();
      for (const [key, count] of counts) {
        const [path = '', method = '', status = ''] = key.split(' ');
        requests.inc({ path, method, status }, count);
      }
      setFigures(sources);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Where the figures are read. */
interface FigureSources {
  readonly health: () => Told;
  readonly reader: Pick<StoreReader, 'lastVisitId' | 'lastChangeId'>;
  readonly directory: Directory;
}

/** Makes the figures of the crawler, and answers what sets them. What is not known is left out, and is not 0. */
function createCrawlerFigures(registry: Registry): (sources: FigureSources) => void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `loopscout_${name}`, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string) =>
    new Counter({ name: `loopscout_${name}`, help, registers: [registry] });
  const healthy = gauge('healthy', 'Whether everything of ours works: 1 or 0.');
  const recorded = counter('visits_recorded_total', 'Number of the last visit recorded.');
  const changed = counter('changes_recorded_total', 'Number of the last change recorded.');
  const instances = gauge('instances', 'Listed instances.', 'status');
  const states = gauge('domains', 'Known domains, by state.', 'state');
  const verdicts = gauge('domains_visited', 'Visited domains, by the verdict of their last visit.', 'verdict');
  const read = gauge('directory_read_seconds', 'When the directory was last read, seconds since the epoch.');
  const due = gauge('domains_due', 'Domains that are due, by the line they wait in.', 'line');
  const late = gauge('domains_late_seconds', 'For how long the first of them has been due.', 'line');
  const visits = gauge('visits_last_hour', 'Visits of the last hour, by verdict.', 'verdict');

  return ({ health, reader, directory }) => {
    const told = health();
    healthy.set(told.status === 'failing' ? 0 : 1);
    for (const one of [recorded, changed, due, late, visits]) one.reset();
    recorded.inc(reader.lastVisitId());
    changed.inc(reader.lastChangeId());
    for (const [line, { due: count, lateSeconds }] of Object.entries(told.backlog ?? {})) {
      due.set({ line }, count);
      if (lateSeconds !== null) late.set({ line }, lateSeconds);
    }
    for (const [verdict, count] of Object.entries(told.visits?.byVerdict ?? {})) visits.set({ verdict }, count);
    const { snapshot, survey } = directory.whole();
    read.set(snapshot.at / 1_000);
    const down = snapshot.instances.filter(({ entry }) => entry.status === 'down').length;
    instances.set({ status: 'up' }, snapshot.instances.length - down);
    instances.set({ status: 'down' }, down);
    for (const [state, count] of Object.entries(survey.counts.states)) states.set({ state }, count);
    for (const [verdict, count] of Object.entries(survey.counts.verdicts)) verdicts.set({ verdict }, count);
  };
}
