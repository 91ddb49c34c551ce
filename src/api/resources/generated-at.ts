import { z } from 'zod';

/** When an answer was made. */
export const GeneratedAt = z.iso.datetime().meta({
  description: 'When this answer was made. A later time alone is no change: the `ETag` stays the same.',
});
