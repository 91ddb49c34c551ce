import { readJsonFile } from '../options/read-json-file.ts';
import { FleetFile } from './fleet-file.ts';
import { rowProblems } from './row-problems.ts';

/**
 * Reads a fleet from a JSON file.
 * @throws {JsonFileError} that names everything wrong with it.
 */
export function readFleetFile(path: string): FleetFile {
  return readJsonFile(path, FleetFile, rowProblems);
}
