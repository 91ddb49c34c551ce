import { type CarryOut, createVisitor } from './carry-out.ts';
import { type FromChild, machineClock, type ToChild } from './child-processes.ts';

// Entry point of a child process that runs visits.
process.title = 'loopscout visits';
// A signal to the whole process group is for the parent: it decides whether running visits may end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

let carryOut: CarryOut | null = null;

process.on('message', async (message: ToChild) => {
  if ('network' in message) {
    carryOut = createVisitor(message.network, machineClock);
    report({ ready: true });
    return;
  }
  const result = await carryOut?.(message.task, () => machineClock() < message.deadline);
  if (result !== undefined) report({ id: message.id, result });
});

function report(message: FromChild): void {
  // A closed channel ends this process.
  process.send?.(message, () => undefined);
}
