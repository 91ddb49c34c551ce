#!/usr/bin/env node
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Checks the version before the import of the program, because an older Node would stop with a syntax error in a dependency.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(
    `Loopscout needs Node.js 22.20 or newer; this is ${process.versions.node}. Install a newer version.\n`,
  );
  process.exitCode = 2;
} else {
  // By default V8 lets a heap of 30 MB grow to 120 MB before it collects the garbage of a crawl; this bounds it at twice the live size.
  setFlagsFromString('--heap-growing-percent=100');
  // Without the cache, half the time of a short command is spent compiling its modules.
  module.enableCompileCache();
  // Resolves a relative import by its URL alone. For each of the hundreds of modules, Node would also look for the file and its real path.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && context.conditions.includes('import')
        ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
        : next(specifier, context),
  });
  const { main } = await import('./commands/main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
