import * as z from 'zod';

/** A wait in hours; fractions are fine. */
export const hours = (standard: number, description: string) =>
  z.number().min(0.01).max(87_600).default(standard).describe(`${description} In hours.`);

/** A limit for which 0 means none. */
export const limit = (standard: number, description: string) =>
  z.int().min(0).max(100_000).default(standard).describe(`${description} 0 means no limit.`);

/** A time in milliseconds. */
export const milliseconds = (standard: number, description: string) =>
  z.int().min(1).max(600_000).default(standard).describe(`${description} In milliseconds.`);

/** What paths in the settings file are taken from. */
export const relative = "A relative path is taken from the settings file's folder.";
/** A file or folder. */
export const path = (description: string) => z.string().min(1).describe(`${description} ${relative}`);

/** A time in days. */
export const days = (standard: number, description: string) =>
  z.number().min(1).max(36_500).default(standard).describe(`${description} In days.`);
