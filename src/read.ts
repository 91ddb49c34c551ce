/** The entry point `loopscout/read`: reads the exported files of a directory, without loading the crawler. */
export type { ReadInstance } from './export/read/parse-instances.ts';
export { ReadError, type ReadFault } from './export/read/read-error.ts';
export {
  type InstancesRead,
  type InstancesState,
  type ReadInstancesOptions,
  readInstances,
} from './export/read/read-instances.ts';
