import { posix } from 'node:path';
import { roomOf, type Tree } from './house-rules.ts';
import { moduleImports } from './module-imports.ts';

/** Files whose transitive runtime imports are counted. The imports of every file of check rules are counted too. */
const ENTRIES = {
  visit: 'crawl/crawl.ts',
  lease: 'store/frontier/lease-domains.ts',
  'instances.json': 'export/datasets/instances.ts',
  forget: 'store/opt-outs/forget-domains.ts',
} as const;

/** Tables and generated types can have any length; the reference server has its own limits. */
const NO_LOGIC = /^(?:reference|store\/migrations|store\/schema|model\/facts)\//;

/** Size and coupling of a source tree; lines as counted by `wc -l`. */
export interface Measurements {
  files: number;
  lines: number;
  /** Files directly in `src/`. */
  root: number;
  largestFolder: { folder: string; files: number };
  app: { files: number; lines: number };
  longestLogic: { file: string; lines: number };
  /** 90th percentile of the lines of logic files. */
  logicLines90: number;
  /** Local imports, types included, per 100 lines of each room. */
  importsPer100Lines: Record<string, number>;
  /** Number of files loaded with each entry, including itself; for `check area`, the highest number of all areas. */
  closures: Record<keyof typeof ENTRIES | 'check area', number>;
}

export function measure(tree: Tree): Measurements {
  const files = Object.entries(tree).map(([path, text]) => {
    const { specifiers, runtimeSpecifiers } = moduleImports(path, text);
    const localPaths = (imported: readonly string[]) =>
      imported.filter((name) => name.startsWith('.')).map((name) => posix.join(posix.dirname(path), name));
    return {
      path,
      lines: text.split('\n').length - 1,
      imports: localPaths(specifiers),
      loads: localPaths(runtimeSpecifiers),
    };
  });
  const loads = new Map(files.map((file) => [file.path, file.loads]));
  const linesOf = (counted: readonly { lines: number }[]) => counted.reduce((sum, { lines }) => sum + lines, 0);
  const folders = Object.entries(Object.groupBy(files, ({ path }) => posix.dirname(path)));
  const [folder, inFolder] = folders.toSorted(([, a = []], [, b = []]) => b.length - a.length)[0] ?? ['', []];
  const app = files.filter(({ path }) => roomOf(path) === 'app');
  const logic = files.filter(({ path }) => !NO_LOGIC.test(path)).toSorted((a, b) => a.lines - b.lines);
  const longest = logic.at(-1);
  const rooms = Object.groupBy(
    files.filter(({ path }) => path.includes('/')),
    ({ path }) => roomOf(path),
  );
  const areas = files.filter(({ path }) => path.startsWith('check/rules/'));
  return {
    files: files.length,
    lines: linesOf(files),
    root: files.filter(({ path }) => !path.includes('/')).length,
    largestFolder: { folder, files: inFolder?.length ?? 0 },
    app: { files: app.length, lines: linesOf(app) },
    longestLogic: { file: longest?.path ?? '', lines: longest?.lines ?? 0 },
    logicLines90: logic[Math.floor(logic.length * 0.9)]?.lines ?? 0,
    importsPer100Lines: Object.fromEntries(
      Object.entries(rooms).map(([room, roomFiles = []]) => {
        const imports = roomFiles.reduce((sum, file) => sum + file.imports.length, 0);
        return [room, Math.round((1_000 * imports) / linesOf(roomFiles)) / 10];
      }),
    ),
    closures: {
      visit: countLoadedFiles(ENTRIES.visit, loads),
      lease: countLoadedFiles(ENTRIES.lease, loads),
      'instances.json': countLoadedFiles(ENTRIES['instances.json'], loads),
      forget: countLoadedFiles(ENTRIES.forget, loads),
      'check area': Math.max(...areas.map(({ path }) => countLoadedFiles(path, loads))),
    },
  };
}

/** Number of files loaded with an entry. */
function countLoadedFiles(entry: string, loads: ReadonlyMap<string, readonly string[]>): number {
  if (!loads.has(entry)) throw new Error(`${entry} is not in src; name the file that replaced it`);
  const loaded = new Set<string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (loaded.has(path) || !loads.has(path)) continue;
    loaded.add(path);
    queue.push(...(loads.get(path) ?? []));
  }
  return loaded.size;
}
