import { z } from 'zod';

/** When an answer was made. */
export const GeneratedAt = z.iso.datetime().meta({
  description: 'When this answer was made; it stays the same as long as nothing else in the answer changes.',
});
