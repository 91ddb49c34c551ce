import { costTables } from './cost-tables.ts';

/** `npm run bench -- cost-model`: prints the tables of docs/cost-model.md. */
for (const markdown of Object.values(costTables())) process.stdout.write(`${markdown}\n\n`);
