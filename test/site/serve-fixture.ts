import { openSite, TWO_YEARS } from './open-site.ts';

/** `node test/site/serve-fixture.ts [INSTANCES]`: serves the site of the tests for viewing, until the process is stopped. */
const instances = Number(process.argv[2] ?? TWO_YEARS.instances);
const startedAt = performance.now();
const { url } = await openSite({ ...TWO_YEARS, instances });
process.stdout.write(`${url}\n${Math.round(performance.now() - startedAt)} ms\n`);
