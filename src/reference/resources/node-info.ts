import { z } from 'zod';

/** The NodeInfo document, specification section 2.7, with the counts that live servers add. */
export const NodeInfo = z
  .object({
    version: z.string().meta({ description: 'Schema version: `2.0`, or `2.1` at the address of that.' }),
    software: z.object({
      name: z.string().meta({ description: 'Software identifier: `loops` on a server of this service.' }),
      version: z.string().meta({ description: 'Running version.' }),
    }),
    protocols: z.array(z.string()).meta({ description: 'Includes `activitypub`.' }),
    services: z.object({
      inbound: z.array(z.string()).meta({ description: 'Services that it can receive from.' }),
      outbound: z.array(z.string()).meta({ description: 'Services that it can publish to.' }),
    }),
    openRegistrations: z.boolean().meta({ description: 'Whether registration is open.' }),
    usage: z.object({
      users: z.object({
        total: z.int().meta({ description: 'Total users.' }),
        activeMonth: z.int().optional().meta({ description: 'Users who signed in within 30 days.' }),
        activeHalfyear: z.int().optional().meta({ description: 'Users who signed in within 180 days.' }),
      }),
      localPosts: z.int().meta({ description: 'Count of local posts.' }),
    }),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form.' }),
  })
  .meta({ id: 'NodeInfo' });
export type NodeInfo = z.infer<typeof NodeInfo>;
