import type { HealthRecord, Part } from './app.health.ts';
import type { Logger } from './logger.ts';
import { StoreError, type StoreErrorCode } from './store/store-error.ts';

/** What of the service fails and works again, told once each time: in the log, and in the health until it works. */
export interface Trouble {
  /** Something failed; the same failure again is told no more. */
  failed(part: Part, error: unknown): void;
  works(part: Part): void;
  /** Resolves with what no later attempt can cure; never otherwise. */
  readonly fatal: Promise<Error>;
}

/** Nothing that is done later can cure these. */
const FATAL: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['corrupt', 'moved', 'not-a-database']);

export function createTrouble({ health, logger }: { health: HealthRecord; logger: Logger }): Trouble {
  const told = new Map<Part, string>();
  const fatal = Promise.withResolvers<Error>();
  return {
    failed(part, error) {
      const problem = error instanceof Error ? error.message : String(error);
      health.note(part, problem);
      if (told.get(part) !== problem) logger.error({ err: error, part }, problem);
      told.set(part, problem);
      if (error instanceof StoreError && FATAL.has(error.code)) fatal.resolve(error);
    },
    works(part) {
      if (!told.delete(part)) return;
      health.note(part, null);
      logger.info({ part }, `${part} works again`);
    },
    fatal: fatal.promise,
  };
}
