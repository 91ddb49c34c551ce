import module from 'node:module';

// Preloaded when the TypeScript source is run directly. Otherwise every start would strip the types of cli.ts, and the type stripper
// holds 25 MB for the lifetime of the process.
module.enableCompileCache?.();

// An older Node.js reads neither TypeScript nor `using`; the published package runs on 22.20.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Loopscout runs from source on Node.js 24 or newer; this is ${process.versions.node}. Use the npm scripts, which bring it.\n`,
  );
  process.exit(2);
}
