import { z } from 'zod';
import { leavesOf } from '../table/leaves-of.ts';
import { InstanceEntry } from './instance-entry.ts';
import { noted } from './noted.ts';

const leaves = leavesOf(InstanceEntry);

/** One row of `instances.csv`: an entry of `instances.json` with each leaf under its path. */
export const InstanceRow = z
  .object(Object.fromEntries(leaves.map(({ path, schema }) => [path.join('.'), schema])))
  .meta({
    title: 'instances.csv',
    description: 'One row of instances.csv: an instance, each field under its path in instances.json.',
  });
noted(InstanceRow, { source: 'as in instances.json' });
