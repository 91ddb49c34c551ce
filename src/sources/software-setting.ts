import * as z from 'zod';

/** Which servers are wanted of a directory that knows many kinds. */
export const softwareSetting = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a name of software in small letters')
  .nullable()
  .default('loops')
  .describe('The software whose servers are asked for, in the words of the directory; null for all there are.');
