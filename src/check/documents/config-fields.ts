import { REPORTED_LEAVES } from '../../record/facts/fact-leaves.ts';

/** A field of the configuration (specification 2.5). */
export interface ConfigField {
  /** The names that it goes by, the specified one first. */
  paths: readonly [string, ...string[]];
  /** The first release of Loops that has it. */
  since: string;
}

/** All of them but `app.software`, which has rules of its own. `app.url` is no fact that is recorded. */
export const CONFIG_FIELDS: readonly ConfigField[] = [
  { paths: ['app.url'], since: '1.0.0-beta.6' },
  ...REPORTED_LEAVES.flatMap(({ path, meta: { config, since } }) =>
    config === undefined || since === undefined || path === 'software' ? [] : [{ paths: config, since }],
  ),
];
