import { z } from 'zod';

/** A moment as ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Time = z.string().meta({ format: 'date-time' });

/** A day in UTC, ISO 8601: `2026-11-20`. */
export const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
