import { Counter, Gauge, Registry } from 'prom-client';
import { createCrawlerFigures, type FigureSources } from './crawler-figures.ts';
import { Durations } from './durations.ts';

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
