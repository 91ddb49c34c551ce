import type { Run } from './command.ts';

/** One verb: what `--help` says of it, and where its action is. Actions are loaded when they run, so that help is instant. */
export interface CommandEntry {
  name: string;
  /** In commander's notation: `[domain...]`. */
  argument?: readonly [form: string, description: string];
  summary: string;
  options?: readonly (readonly [form: string, description: string])[];
  /** What `--help` says below the options: what it does at length, and examples. */
  more?: string;
  load: () => Promise<{ run: Run }>;
}
