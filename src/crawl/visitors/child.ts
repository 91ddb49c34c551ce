import { createAddressGuard } from '../../http/address-guard.ts';
import { createTlsContext } from '../../http/tls-context.ts';
import { type CarryOut, createVisitor } from './carry-out.ts';
import { type FromChild, machineClock, type ToChild, type VisitorNetwork } from './child-processes.ts';

// Entry point of a child process that carries out visits.
process.title = 'loopscout visits';
// A signal to the whole process group is for the parent: it decides whether running visits may end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

let visit: CarryOut | null = null;

process.on('message', async (message: ToChild) => {
  if ('network' in message) {
    visit = visitorFor(message.network);
    report({ ready: true });
    return;
  }
  const result = await visit?.(message.order, message.deadline);
  if (result !== undefined) report({ id: message.id, result });
});

function visitorFor({ allow, caFile, timeouts, maxBodyBytes }: VisitorNetwork): CarryOut {
  return createVisitor({
    secureContext: createTlsContext(caFile),
    guard: createAddressGuard(allow),
    clock: machineClock,
    now: Date.now,
    maxBodyBytes,
    ...timeouts,
  });
}

function report(message: FromChild): void {
  // A closed channel ends this process.
  process.send?.(message, () => undefined);
}
