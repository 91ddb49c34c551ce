import { z } from 'zod';
import { Delay, FaultRule } from '../faults/fault-rule.ts';
import { NodeInfo } from '../resources/node-info.ts';
import { ServerConfig } from '../resources/server-config.ts';
import { strictlyPartial } from './strictly-partial.ts';

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
