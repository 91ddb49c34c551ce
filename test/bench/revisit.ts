/** `npm run bench -- revisit [hosts] [rounds] [--check]`: `bench -- crawl --revisit`. */
process.argv.push('--revisit');
await import('./crawl.ts');

export {};
