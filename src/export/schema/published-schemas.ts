import type { z } from 'zod';
import { ChangeLine } from '../../directory/schema/change-line.ts';
import { DomainLine } from '../../directory/schema/domain-line.ts';
import { EverRow } from '../../directory/schema/ever-entry.ts';
import { InstanceRow, InstancesFile, InstancesMinFile } from '../../directory/schema/instances-file.ts';
import { MembershipLine } from '../../directory/schema/membership-line.ts';
import { StatsFile } from '../../directory/schema/stats-file.ts';
import { StatsRow } from '../../directory/schema/stats-row.ts';
import { HistoryIndex } from './history.ts';
import { Manifest } from './manifest.ts';
import { UsageLine } from './usage-line.ts';
import { VisitLine } from './visit-line.ts';

/** A shape published as `schema/NAME.json`, and its files as named in the codebook. */
export interface PublishedSchema {
  readonly name: string;
  readonly shape: z.ZodObject;
  readonly files: readonly string[];
}

/** Every published schema, for a JSON document or for each line or row. */
export const publishedSchemas: readonly PublishedSchema[] = [
  { name: 'instances', shape: InstancesFile, files: ['instances.json', 'history/YYYY-MM-DD.json.gz'] },
  { name: 'instances.min', shape: InstancesMinFile, files: ['instances.min.json'] },
  { name: 'instances.csv', shape: InstanceRow, files: ['instances.csv', 'instances.parquet'] },
  { name: 'instances-all', shape: EverRow, files: ['instances-all.csv', 'instances-all.parquet'] },
  { name: 'domains', shape: DomainLine, files: ['domains.ndjson', 'domains.csv', 'domains.parquet'] },
  { name: 'memberships', shape: MembershipLine, files: ['memberships.csv', 'memberships.parquet'] },
  { name: 'changes', shape: ChangeLine, files: ['changes.ndjson', 'changes.csv', 'changes.parquet'] },
  { name: 'stats', shape: StatsFile, files: ['stats.json'] },
  { name: 'stats.csv', shape: StatsRow, files: ['stats.csv'] },
  { name: 'visits', shape: VisitLine, files: ['visits/YYYY-MM.parquet', 'visits/YYYY-MM.csv.gz'] },
  { name: 'usage', shape: UsageLine, files: ['usage/YYYY-MM.parquet', 'usage/YYYY-MM.csv.gz'] },
  { name: 'history', shape: HistoryIndex, files: ['history/index.json'] },
  { name: 'manifest', shape: Manifest, files: ['manifest.json'] },
];
