import module from 'node:module';

// Loaded before cli.ts where the source is run as it is: cli.ts would else be stripped of its types at each start, and what strips them
// takes 25 MB for as long as the process lasts.
module.enableCompileCache?.();
