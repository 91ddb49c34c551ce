import type { Metric, Registry } from 'prom-client';

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
export class Durations {
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
