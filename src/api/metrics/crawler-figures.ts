import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Directory } from '../../views/directory.ts';
import type { Told } from '../resources/health.ts';

/** Where the figures are read. */
export interface FigureSources {
  readonly health: () => Told;
  readonly reader: Pick<StoreReader, 'lastVisitId' | 'lastChangeId'>;
  readonly directory: Directory;
}

/** Makes the figures of the crawler, and answers what sets them. What is not known is left out, and is not 0. */
export function createCrawlerFigures(registry: Registry): (sources: FigureSources) => void {
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
