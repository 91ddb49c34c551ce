#!/usr/bin/env node
import module from 'node:module';

// Nothing is imported before the version is known: an older Node would end in a syntax error of some dependency.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(
    `Loopscout needs Node.js 22.20 or newer, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exitCode = 2;
} else {
  // Without the cache, half of the time that a short command takes goes into compiling what it is made of.
  module.enableCompileCache();
  const { main } = await import('./commands/main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
