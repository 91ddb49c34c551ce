import { z } from 'zod';
import type { DeepPartial } from '../deep-merge.ts';
import { Delay, FaultRule } from '../faults/fault-rule.ts';
import { NodeInfo, ServerConfig } from '../resources.ts';

const count = z.int().min(1);

/** The settings of a server that a file can hold, shared by the server options file and the fleet file. */
export const stateSettings = {
  profile: z
    .enum(['spec', 'live'])
    .exactOptional()
    .describe('Follows the specification (`spec`), or real servers (`live`). Default `spec`.'),
  config: strictDeepPartial(ServerConfig)
    .exactOptional()
    .describe('Merged into the configuration that the server sends, at every depth.'),
  missingConfigKeys: z
    .array(ServerConfig.keyof())
    .exactOptional()
    .describe('Top-level keys that config omits, like an older version.'),
  usage: strictDeepPartial(NodeInfo.shape.usage).exactOptional().describe('The counts of NodeInfo.'),
  nodeInfo: strictDeepPartial(NodeInfo)
    .exactOptional()
    .describe('Merged into the NodeInfo document, which is derived from `config` and `usage`.'),
  robots: z
    .string()
    .nullable()
    .exactOptional()
    .describe('The text of robots.txt, or null for 404. Default: set by the profile.'),
  rateLimit: z
    .strictObject({ perMinute: count, perHour: count })
    .nullable()
    .exactOptional()
    .describe('Maximum requests without a token from one address; null: no limit. Default: set by the profile.'),
  delayMs: Delay.exactOptional().describe(
    'Milliseconds before each answer: a number, or a range `[min, max]` to draw from. Default 0.',
  ),
  faults: z
    .array(FaultRule)
    .exactOptional()
    .describe(
      'Fault rules for routes; the first rule that matches a request applies, besides every `delay` rule before it.',
    ),
};

/** Makes every key of a schema optional at every depth, except inside lists, and refuses unknown keys. */
export function strictDeepPartial<T>(schema: z.ZodType<T>): z.ZodType<DeepPartial<T>> {
  return partial(schema) as z.ZodType<DeepPartial<T>>;
}

function partial(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return partial(schema.unwrap());
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(members.map(([key, member]) => [key, z.exactOptional(partial(member))])));
}
