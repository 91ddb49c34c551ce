import module from 'node:module';

// Preloaded when the TypeScript source is run directly. Otherwise every start would strip the types of cli.ts, and the type stripper
// holds 25 MB for the lifetime of the process.
module.enableCompileCache?.();
