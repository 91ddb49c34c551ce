import { excerpt } from './excerpt.ts';

/** A value of unknown shape, made fit to show. */
export function outlined(value: unknown): string {
  return excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}
