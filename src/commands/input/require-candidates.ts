import { hasCandidates } from '../../service/crawl-plan.ts';
import type { Settings } from '../../settings/settings.ts';
import { UsageError } from '../command.ts';
import { type CommandLine, settingsFileFor } from './open-app.ts';

/**
 * Refuses a crawl that could not visit anything.
 *
 * @param readsSources false when `--sources none` leaves them out.
 * @throws {UsageError} that says what to edit.
 */
export function requireCandidates(commandLine: CommandLine, settings: Settings, readsSources = true): void {
  if (hasCandidates(settings, readsSources)) return;
  if (!readsSources) throw new UsageError('nothing to visit: the database has no domains; leave out --sources none');
  const { path, exists } = settingsFileFor(commandLine);
  const cause = exists
    ? `"sources" in ${path} has no enabled source, and the database has no domains; enable a source there, or write new settings with loopscout init`
    : `there is no ${path}; write it with loopscout init`;
  throw new UsageError(`nothing to visit: ${cause}`);
}
