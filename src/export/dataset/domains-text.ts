import { mapped } from '../mapped.ts';
import type { Dataset } from './dataset.ts';

/** `domains.txt`: the listed instances, one domain a line. */
export const domainsText: Dataset = {
  name: 'domains.txt',
  schema: null,
  chunks: (source) => mapped(source.instances(), ({ domain }) => `${domain}\n`),
};
