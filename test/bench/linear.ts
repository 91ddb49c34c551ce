import { Table } from 'console-table-printer';
import { agreementRules } from '../../src/check/rules/agreement.ts';
import { configRules } from '../../src/check/rules/config.ts';
import { nodeinfoRules } from '../../src/check/rules/nodeinfo.ts';
import { classifyPage } from '../../src/http/page-class.ts';
import { evidenceOf, healthyAnswer } from '../check/evidence-of.ts';

/**
 * `npm run bench -- linear`: how much more CPU time readers of documents take for a hostile text of four times the length. 4 is
 * proportional to the length, 16 to its square. Exits with 1 if a reader takes over 8 times as much.
 */
const LENGTH = 64_000;
const ROUNDS = 15;
const TEXTS = ['[', '{"a":', '\\', ' ', '<a ', '<div><a href=x>'];

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'rules of check': (text) => {
    const answers = {
      config: healthyAnswer('config', { body: text }),
      discovery: healthyAnswer('discovery', { body: text }),
    };
    const evidence = evidenceOf({ answers });
    return [...configRules, ...nodeinfoRules, ...agreementRules].map(({ judge }) => judge(evidence));
  },
  'class of a page': (text) =>
    classifyPage({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(text) }),
};

function leastCpuMs(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const table = new Table();
for (const [reader, read] of Object.entries(readers)) {
  for (const part of TEXTS) {
    const text = part.repeat(LENGTH / part.length);
    const [short, long] = [leastCpuMs(() => read(text)), leastCpuMs(() => read(text.repeat(4)))];
    const ratio = long / short;
    // Of shorter times, the ratio is mostly that of the garbage collection.
    if (ratio > 8 && long > 5) process.exitCode = 1;
    table.addRow({
      reader,
      text: part,
      'short (ms)': short.toFixed(2),
      'long (ms)': long.toFixed(2),
      ratio: ratio.toFixed(1),
    });
  }
}
table.printTable();
