import { z } from 'zod';
import { noted } from './noted.ts';

/** How many owners asked to be left alone: the one thing that is ever told of them. */
export const OptOuts = noted(
  z
    .int()
    .nonnegative()
    .describe(
      'Hosts whose owners have opted out. They are in nothing else that is published, and are never named; what one opt-out covers, such as the same host with `www.` or at another port, counts once.',
    ),
  { unit: 'hosts', source: 'opt-outs' },
);
