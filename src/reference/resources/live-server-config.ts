import { z } from 'zod';
import { ServerConfig } from './server-config.ts';

/** The server configuration as live servers send it: the brand of the GIF provider stands in the key. */
export const LiveServerConfig = ServerConfig.omit({ hasGifProvider: true })
  .extend({ hasKlipy: z.boolean().meta({ description: 'Third-party GIF integration enabled.' }) })
  .meta({ id: 'LiveServerConfig' });
