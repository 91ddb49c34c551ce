import { type App, createApp, createLogger } from '../../app/app.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import type { GlobalOptions, Terminal } from '../command.ts';

interface CommandLine {
  options: GlobalOptions;
  terminal: Terminal;
}

/** The settings from the file, the environment and the flags. */
export function settingsOf({ options, terminal }: CommandLine): Settings {
  return loadSettings({ file: options.config, flags: options.set ?? [], cwd: terminal.cwd });
}

/** Opens the app with the settings of a command line. */
export function openApp(commandLine: CommandLine): Promise<App> {
  const settings = settingsOf(commandLine);
  return createApp(settings, createLogger({ level: settings.log.level, stream: commandLine.terminal.stderr }));
}
