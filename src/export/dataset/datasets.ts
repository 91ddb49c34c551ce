import type { Dataset } from './dataset.ts';
import { domains } from './domains.ts';
import { instances } from './instances.ts';

/** Every dataset of an export, in the order of the manifest. A new one is a file of this folder and a line here. */
export const datasets: readonly Dataset[] = [instances, domains];
