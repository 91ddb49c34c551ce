import { z } from 'zod';
import { Delay, FaultRule } from '../faults/fault-rule.ts';
import { NodeInfo } from '../resources/node-info.ts';
import { ServerConfig } from '../resources/server-config.ts';
import { strictlyPartial } from './strictly-partial.ts';

const count = z.int().min(1);

/** What can be written down of a server, as the options of the library have it: one schema for every file that says it. */
export const stateSettings = {
  profile: z.enum(['spec', 'live']).exactOptional(),
  config: strictlyPartial(ServerConfig).exactOptional(),
  missingConfigKeys: z.array(ServerConfig.keyof()).exactOptional(),
  usage: strictlyPartial(NodeInfo.shape.usage).exactOptional(),
  nodeInfo: strictlyPartial(NodeInfo).exactOptional(),
  robots: z.string().nullable().exactOptional(),
  rateLimit: z.strictObject({ perMinute: count, perHour: count }).nullable().exactOptional(),
  delayMs: Delay.exactOptional(),
  faults: z.array(FaultRule).exactOptional(),
};
