import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import type { VisitorNetwork } from './carry-out.ts';
import { NoVisitorError, VisitorLostError, type Visitors, type VisitResult, type VisitTask } from './visit-task.ts';

/** Messages between the crawling process and a child process. */
export type ToChild = { network: VisitorNetwork } | { id: number; task: VisitTask; deadline: number };
export type FromChild = { ready: true } | { id: number; result: VisitResult };

export interface ChildProcessesOptions {
  /** Maximum child processes. */
  count: number;
  network: VisitorNetwork;
  /** Maximum duration of a visit with its waits, in milliseconds; a child that exceeds it is killed. */
  budgetMs: number;
  /** Called when a child process died during visits. */
  onTrouble: (message: string) => void;
}

interface Child {
  process: ChildProcess;
  isReady: boolean;
  visits: Map<number, PromiseWithResolvers<VisitResult> & { deadline: number }>;
}

const CHECK_EVERY_MS = 1_000;
/** How long after its deadline a child may still report that it stopped, before it is killed. */
const GRACE_MS = 2_000;

/** Monotonic milliseconds that all processes of a machine share. */
export function machineClock(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** Visitors in child processes, started when visits need them. */
export function createChildProcesses(options: ChildProcessesOptions): Visitors {
  const { count, network, budgetMs, onTrouble } = options;
  const children = new Set<Child>();
  let lastId = 0;
  let timer: NodeJS.Timeout | null = null;

  function start(): Child {
    // .ts in the repository, .js in the published package.
    const script = new URL(`./child${extname(import.meta.url)}`, import.meta.url);
    const process = fork(script, {
      serialization: 'advanced',
      execArgv: ['--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const child: Child = { process, isReady: false, visits: new Map() };
    children.add(child);
    const onEnd = (why: string, wasKilled = false) => {
      if (child.visits.size > 0 && children.has(child))
        onTrouble(`a child process ended with ${why}; its visits are repeated`);
      children.delete(child);
      const error =
        child.isReady || wasKilled
          ? new VisitorLostError(`the child process of the visit ended with ${why}`)
          : new NoVisitorError(`a child process for visits ended with ${why} when it started`);
      for (const visit of child.visits.values()) visit.reject(error);
      child.visits.clear();
      stopTimerWhenIdle();
    };
    process.on('error', (error) => onEnd(error.message));
    process.on('exit', (code, signal) => {
      if (signal === null) onEnd(`exit code ${code}`);
      else onEnd(`signal ${signal}`, true);
    });
    process.on('message', (message: FromChild) => {
      if ('ready' in message) {
        child.isReady = true;
        return;
      }
      child.visits.get(message.id)?.resolve(message.result);
      child.visits.delete(message.id);
      stopTimerWhenIdle();
    });
    send(child, { network });
    return child;
  }

  function send({ process }: Child, message: ToChild): void {
    // Errors are ignored: if the channel is closed, the `exit` handler reports the end of the process.
    process.send(message, () => undefined);
  }

  /** A new child if all have visits and another may start; else the child with the fewest visits. */
  function pick(): Child {
    const [least] = [...children].sort((a, b) => a.visits.size - b.visits.size);
    const mayStart = children.size < count && least?.visits.size !== 0;
    return mayStart || least === undefined ? start() : least;
  }

  function killOverdue(): void {
    const overdueBefore = machineClock() - GRACE_MS;
    for (const { process, visits } of children)
      if ([...visits.values()].some(({ deadline }) => deadline < overdueBefore)) process.kill('SIGKILL');
  }

  function stopTimerWhenIdle(): void {
    if (timer === null || [...children].some(({ visits }) => visits.size > 0)) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    visit(task) {
      const child = pick();
      const visit = { ...Promise.withResolvers<VisitResult>(), deadline: machineClock() + budgetMs };
      lastId += 1;
      child.visits.set(lastId, visit);
      timer ??= setInterval(killOverdue, CHECK_EVERY_MS);
      send(child, { id: lastId, task, deadline: visit.deadline });
      return visit.promise;
    },
    cancelAll() {
      for (const child of children) {
        children.delete(child);
        child.process.kill('SIGKILL');
      }
    },
  };
}
