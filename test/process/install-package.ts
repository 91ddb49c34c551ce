import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, run } from './run-cli.ts';

interface LockEntry {
  dev?: boolean;
}

/**
 * Packs the built package and installs it into an empty project, with its production dependencies in the locked versions: as `npm ci`
 * installed them here, so that no registry is needed. Returns the folder of the package.
 */
export async function installPackage(project: string): Promise<string> {
  const folder = join(project, 'node_modules/loopscout');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
  await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', project], repository);
  await succeed(
    'sh',
    ['-c', `tar --extract --gzip --strip-components 1 --directory '${folder}' --file *.tgz`],
    project,
  );
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  for (const [path, { dev }] of Object.entries(packages as Record<string, LockEntry>)) {
    // Nested packages are copied with the package that contains them.
    const isTopLevel = path.lastIndexOf('node_modules/') === 0;
    if (isTopLevel && dev !== true) cpSync(join(repository, path), join(project, path), { recursive: true });
  }
  return folder;
}

/** Installs packages that only one test needs: as development dependencies they would enlarge every installation. */
export async function installTools(folder: string, dependencies: Record<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  await succeed('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
}

async function succeed(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await run(program, args, { cwd });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${stderr}`);
}
