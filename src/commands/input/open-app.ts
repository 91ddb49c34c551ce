import { type App, createApp, createLogger } from '../../app/app.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import type { GlobalOptions, Terminal } from '../command.ts';

interface Given {
  options: GlobalOptions;
  terminal: Terminal;
}

/** The settings that a command line asks for: file, environment, flags. */
export function settingsOf({ options, terminal }: Given): Settings {
  return loadSettings({ file: options.config, flags: options.set ?? [], cwd: terminal.cwd });
}

/** The program, put together from those settings. */
export function openApp(given: Given): Promise<App> {
  const settings = settingsOf(given);
  return createApp(settings, createLogger({ level: settings.log.level, stream: given.terminal.stderr }));
}
