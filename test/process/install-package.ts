import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, run } from './run-cli.ts';

interface LockEntry {
  dev?: boolean;
  [key: string]: unknown;
}

/** Packs the built package and returns the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await npm(repository, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

/**
 * Installs a tarball of the package into an empty project, with its production dependencies in the locked versions, so that a new
 * version of a dependency cannot make a test fail.
 */
export async function installPackage(tarball: string, folder: string): Promise<void> {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const { '': rootEntry, ...installed } = lock.packages as Record<string, LockEntry>;
  const { name, version, dependencies, bin, engines } = rootEntry as LockEntry & { name: string };
  const production = Object.entries(installed).filter(([, { dev }]) => dev !== true);
  const project = { name: 'consumer', type: 'module', dependencies: { [name]: `file:${tarball}` } };
  const packages = {
    '': project,
    [`node_modules/${name}`]: { version, resolved: `file:${tarball}`, dependencies, bin, engines },
    ...Object.fromEntries(production),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: lock.lockfileVersion, packages }));
  await npm(folder, 'ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
}

/** Installs packages that only one test needs: as development dependencies they would enlarge every installation. */
export async function installTools(folder: string, dependencies: Record<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies, allowScripts: { node: true } }));
  await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund');
}

async function npm(cwd: string, ...args: string[]): ReturnType<typeof run> {
  const result = await run('npm', args, { cwd });
  if (result.code !== 0) throw new Error(`npm ${args.join(' ')} exited with ${result.code}: ${result.stderr}`);
  return result;
}
