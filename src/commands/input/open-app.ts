import { createApp } from '../../app/app.ts';
import { createLogger } from '../../logger.ts';
import type { Crawler } from '../../service/crawler.ts';
import type { SettingsFile } from '../../settings/require-contact.ts';
import { loadSettings, type Settings, settingsFileOf } from '../../settings/settings.ts';
import type { GlobalOptions, Terminal } from '../command.ts';

export interface CommandLine {
  options: GlobalOptions;
  terminal: Terminal;
}

/** The settings from the file, the environment and the flags; `--set log.level` takes precedence over `--quiet` and `--verbose`. */
export function settingsOf({ options, terminal }: CommandLine): Settings {
  const level = logLevelOf(options);
  const flags = [...(level === undefined ? [] : [`log.level=${level}`]), ...(options.set ?? [])];
  return loadSettings({ file: options.config, flags, cwd: terminal.cwd });
}

/** The level that `--quiet` or `--verbose` requests. */
export function logLevelOf({ quiet, verbose }: GlobalOptions): 'error' | 'debug' | undefined {
  if (quiet === true) return 'error';
  return verbose === true ? 'debug' : undefined;
}

/** The settings file of a command line, for messages. */
export function settingsFileFor({ options, terminal }: CommandLine): SettingsFile {
  return settingsFileOf({ file: options.config, cwd: terminal.cwd });
}

export function openApp({ terminal }: CommandLine, settings: Settings): Promise<Crawler> {
  return createApp(settings, createLogger({ level: settings.log.level, stream: terminal.stderr }));
}
