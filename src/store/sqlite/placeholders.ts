import type { RawBuilder } from 'kysely';
import type { Placeholder } from './prepare.ts';

type Placeholders<Parameters extends object, Name extends keyof Parameters> = {
  [Key in Name]: RawBuilder<Parameters[Key]>;
};

/** One placeholder for each named column: `{ at: value('at'), ... }`. */
export function placeholders<Parameters extends object, Name extends keyof Parameters & string>(
  value: Placeholder<Parameters>,
  names: readonly Name[],
): Placeholders<Parameters, Name> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Placeholders<Parameters, Name>;
}
