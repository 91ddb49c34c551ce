import { z } from 'zod';

/** The NodeInfo discovery document, specification section 2.6. */
export const NodeInfoDiscovery = z
  .object({
    links: z.array(
      z.object({
        rel: z.string().meta({ description: 'Names the schema; that of the 2.0 entry ends with `/schema/2.0`.' }),
        href: z.string().meta({ description: 'Where the document is; to be followed exactly as given.' }),
      }),
    ),
  })
  .meta({ id: 'NodeInfoDiscovery' });
export type NodeInfoDiscovery = z.infer<typeof NodeInfoDiscovery>;
