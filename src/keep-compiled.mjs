import module from 'node:module';

// Preloaded when the TypeScript source is run directly. Otherwise every start would strip the types of cli.ts, and the type stripper
// holds 25 MB for the lifetime of the process.
module.enableCompileCache?.();

// An older Node.js cannot read TypeScript, not even the file that checks its version.
if (!process.features.typescript) {
  process.stderr.write(
    `Loopscout runs from source on Node.js 22.20 or newer; this is ${process.versions.node}. Install a newer version.\n`,
  );
  process.exit(2);
}
