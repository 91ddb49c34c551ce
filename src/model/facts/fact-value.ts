import { z } from 'zod';

/** Null: unknown. */
export const FactValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);
export type FactValue = z.infer<typeof FactValue>;
