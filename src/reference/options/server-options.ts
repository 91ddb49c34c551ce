import { z } from 'zod';
import { ServerOptionsFile } from './server-options-file.ts';

const resource = z.looseObject({});

/**
 * Options of a reference server as the library takes them. What a server says may be of any type, as a test wants it; how it works
 * may not.
 */
export const ServerOptions = ServerOptionsFile.extend({
  config: resource.exactOptional(),
  usage: resource.exactOptional(),
  nodeInfo: resource.exactOptional(),
  accounts: z.array(z.looseObject({ username: z.string() })).exactOptional(),
  videos: z.array(resource).exactOptional(),
  now: z.custom<() => number>((value) => typeof value === 'function', 'must be a function').exactOptional(),
});
