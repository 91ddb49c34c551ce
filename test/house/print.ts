/** Prints the size of every room and the rules that the sources break; exits with 1 if they break any. */
import { Console } from 'node:console';
import { brokenRules, roomOf } from './house-rules.ts';
import { readTree } from './read-tree.ts';

const tree = readTree();
const files = Object.entries(tree).map(([path, text]) => ({ room: roomOf(path), lines: text.split('\n').length - 1 }));
const size = (counted: readonly { lines: number }[]) => ({
  files: counted.length,
  lines: counted.reduce((sum, { lines }) => sum + lines, 0),
});
const rooms = Object.entries(Object.groupBy(files, ({ room }) => room));
new Console(process.stdout).table(
  Object.fromEntries([...rooms.map(([room, inRoom = []]) => [room, size(inRoom)]), ['src', size(files)]]),
);

const broken = brokenRules(tree);
for (const sentence of broken) process.stdout.write(`${sentence}\n`);
if (broken.length > 0) process.exitCode = 1;
