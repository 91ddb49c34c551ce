import { z } from 'zod';
import { checkJson } from './check-json.ts';
import { stateSettings } from './state-settings.ts';

/**
 * A value that one of the settings of a running server is to have.
 * @throws {JsonFileError} when it is none that the setting can have.
 */
export function checkSetting<T>(name: keyof typeof stateSettings, value: T): T {
  checkJson('the state', { [name]: value }, z.strictObject({ [name]: stateSettings[name] }));
  return value;
}
