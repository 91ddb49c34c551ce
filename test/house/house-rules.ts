import { posix } from 'node:path';
import { type ModuleImports, moduleImports } from './module-imports.ts';

/** Source texts by path relative to `src/`, with `/` as separator. */
export type Tree = Readonly<Record<string, string>>;

/** Imports allowed between rooms. A room is a folder of `src/` or a file directly in it; an entry with a slash allows one folder of a room. Every room can import itself. */
export const mayImport: Readonly<Record<string, readonly string[] | 'any'>> = {
  model: [],
  http: ['model'],
  report: ['model'],
  sources: ['model', 'http'],
  identify: ['model', 'http'],
  store: ['model'],
  explain: ['model', 'crawl/schedule', 'store'],
  directory: ['model', 'store', 'explain'],
  export: ['model', 'store', 'directory', 'explain'],
  api: ['model', 'store', 'directory', 'explain'],
  site: ['model', 'store', 'directory', 'explain', 'report', 'settings', 'export/tables'],
  check: ['model', 'http', 'identify', 'report'],
  conform: ['model', 'http', 'report', 'reference'],
  crawl: ['model', 'http', 'identify', 'store'],
  settings: ['model', 'sources'],
  service: [
    ...['model', 'http', 'crawl', 'sources', 'store', 'directory', 'export', 'api', 'site', 'explain'],
    ...['report', 'settings', 'logger', 'version'],
  ],
  reference: [],
  logger: [],
  shutdown: [],
  version: [],
  app: 'any',
  index: 'any',
  read: ['export'],
  demo: ['model', 'reference', 'settings', 'logger', 'app'],
  commands: 'any',
  cli: ['commands'],
};

/** File and folder names that do not describe their content. */
const emptyNames = /(?:^|\/)(?:utils?|helpers?|types?|constants?|interfaces?|common|misc)(?:\.ts$|\/)/;

/** Packages that only these folders may import. */
const foldersByPackage: Readonly<Record<string, readonly string[]>> = {
  kysely: ['store/'],
  'better-sqlite3': ['store/', 'reference/data/'],
};

/** Members of `process`, each with the only file that may read it. */
const readersByProcessMember: Readonly<Record<string, string>> = { env: 'settings/environment.ts', argv: 'cli.ts' };

/** Returns one sentence per violation, with the name of the file. */
export function brokenRules(tree: Tree): string[] {
  const imports = new Map(Object.entries(tree).map(([path, text]) => [path, moduleImports(path, text)]));
  const faults = [...imports].flatMap(([path, module]) => violationsIn(path, module, tree));
  return [...faults, ...cycles(imports)];
}

export function roomOf(path: string): string {
  return path.split('/').length > 1 ? (path.split('/')[0] ?? '') : path.replace(/\.ts$/, '');
}

function violationsIn(path: string, module: ModuleImports, tree: Tree): string[] {
  const faults: string[] = [];
  const room = roomOf(path);
  const allowed = mayImport[room];
  if (allowed === undefined) faults.push(`${path} is in no room of the design`);
  if (emptyNames.test(path)) faults.push(`${path} has a name that does not say what is in it`);
  if (module.hasComputedImport) faults.push(`${path} imports a module by a name that is computed`);
  for (const [member, reader] of Object.entries(readersByProcessMember)) {
    if (path !== reader && module.processMembers.includes(member)) {
      faults.push(`${path} reads process.${member}, which only ${reader} may`);
    }
  }
  for (const specifier of module.specifiers) {
    const owners = foldersByPackage[packageOf(specifier)];
    if (owners !== undefined && !owners.some((folder) => path.startsWith(folder))) {
      faults.push(`${path} imports ${specifier}, which only ${owners.join(' and ')} may`);
    }
    if (!specifier.startsWith('.')) continue;
    const target = targetOf(path, specifier);
    if (path.startsWith('store/migrations/') && !target.startsWith('store/migrations/')) {
      faults.push(`${path} imports ${target}, but migrations import nothing of src`);
    }
    // package.json is next to src; it has the product's version. A room may import its own data.
    if (target === '../package.json' || (target.endsWith('.json') && roomOf(target) === room)) continue;
    if (!Object.hasOwn(tree, target)) faults.push(`${path} imports ${specifier}, which is not in src`);
    else if (allowed !== 'any' && roomOf(target) !== room && !isAllowed(target, allowed ?? [])) {
      faults.push(`${path} imports ${target}, but ${room} may import ${allowed?.join(', ') || 'nothing of src'}`);
    }
  }
  return faults;
}

function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => (entry.includes('/') ? target.startsWith(`${entry}/`) : roomOf(target) === entry));
}

/** Returns import cycles as paths: at least one if there is any. */
function cycles(imports: ReadonlyMap<string, ModuleImports>): string[] {
  const foundCycles: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]) => {
    if (trail.includes(path))
      foundCycles.push(`${[...trail.slice(trail.indexOf(path)), path].join(' -> ')} is an import cycle`);
    if (trail.includes(path) || finished.has(path)) return;
    for (const specifier of imports.get(path)?.specifiers ?? []) {
      if (specifier.startsWith('.')) walk(targetOf(path, specifier), [...trail, path]);
    }
    finished.add(path);
  };
  for (const path of imports.keys()) walk(path, []);
  return foundCycles;
}

function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
