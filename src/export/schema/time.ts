import { z } from 'zod';

/** A moment as ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Time = z.string().meta({ format: 'date-time' });
