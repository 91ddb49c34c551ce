import { z } from 'zod';
import { Delay, FaultRule } from '../faults/fault-rule.ts';
import type { Partially } from '../overlay.ts';
import { NodeInfo, ServerConfig } from '../resources.ts';

const count = z.int().min(1);

/** What can be written down of a server, as the options of the library have it: one schema for every file that says it. */
export const stateSettings = {
  profile: z
    .enum(['spec', 'live'])
    .exactOptional()
    .describe('The shape of the specification, or of servers met in the wild. Default `spec`.'),
  config: strictlyPartial(ServerConfig)
    .exactOptional()
    .describe('Laid over the configuration that the server sends, at every depth.'),
  missingConfigKeys: z
    .array(ServerConfig.keyof())
    .exactOptional()
    .describe('Top-level keys of config that are not sent, as by an older version.'),
  usage: strictlyPartial(NodeInfo.shape.usage).exactOptional().describe('The counts of NodeInfo.'),
  nodeInfo: strictlyPartial(NodeInfo)
    .exactOptional()
    .describe('Laid over the NodeInfo document, which otherwise follows from `config` and `usage`.'),
  robots: z
    .string()
    .nullable()
    .exactOptional()
    .describe('The text of robots.txt, or null for 404. Default: that of the profile.'),
  rateLimit: z
    .strictObject({ perMinute: count, perHour: count })
    .nullable()
    .exactOptional()
    .describe(
      'How often one address may ask without a token; null: as often as it likes. Default: that of the profile.',
    ),
  delayMs: Delay.exactOptional().describe(
    'Milliseconds before each answer: a number, or `[least, most]` to draw from. Default 0.',
  ),
  faults: z
    .array(FaultRule)
    .exactOptional()
    .describe('What goes wrong, and on which routes; the first rule that applies to a request is the one that does.'),
};

/**
 * The schema of what may be laid over a value of this schema: any part of it may be left out, at every depth, and nothing that
 * it does not have may be in it. Lists are whole.
 */
export function strictlyPartial<T>(schema: z.ZodType<T>): z.ZodType<Partially<T>> {
  return partial(schema) as z.ZodType<Partially<T>>;
}

function partial(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return partial(schema.unwrap());
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(members.map(([key, member]) => [key, z.exactOptional(partial(member))])));
}
