/** Prints size, coupling and rule violations of the sources; exits with 1 if there are violations. */
import { brokenRules } from './house-rules.ts';
import { measure } from './measure.ts';
import { readTree } from './read-tree.ts';

const tree = readTree();
const broken = brokenRules(tree);
process.stdout.write(`${JSON.stringify({ ...measure(tree), broken }, null, 2)}\n`);
if (broken.length > 0) process.exitCode = 1;
