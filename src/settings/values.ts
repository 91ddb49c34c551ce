import { validateDetailed } from 'node-cron';
import * as z from 'zod';

/** A limit; 0 means no limit. */
export const limit = (standard: number, description: string) =>
  z.int().min(0).max(100_000).default(standard).describe(`${description} 0 means no limit.`);

/** A time in milliseconds. */
export const milliseconds = (standard: number, description: string) =>
  z.int().min(1).max(600_000).default(standard).describe(`${description} In milliseconds.`);

/** Appended to the description of paths. */
export const relative = "A relative path is taken from the settings file's folder.";
/** A file or folder. */
export const path = (description: string) => z.string().min(1).describe(`${description} ${relative}`);

/** A time in days. */
export const days = (standard: number, description: string) =>
  z.number().min(1).max(36_500).default(standard).describe(`${description} In days.`);

/** When a job runs: a cron expression of five or six fields. */
export const cron = (standard: string, description: string) =>
  z
    .string()
    .superRefine((expression, context) => {
      const { valid, errors } = validateDetailed(expression);
      if (valid) return;
      const why = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
      const message = `a cron expression such as "${standard}" (${why})`;
      context.addIssue({ code: 'custom', message });
    })
    .default(standard)
    .describe(`${description} A cron expression in local time; with six fields, the first is seconds.`);
