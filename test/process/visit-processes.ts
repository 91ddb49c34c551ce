import { execFileSync } from 'node:child_process';

/** Returns the ids of the child processes in which a process makes its visits, in ascending order. */
export function findVisitProcesses(parent: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list
    .split('\n')
    .flatMap((line) => {
      const [pid = 0, ppid] = line.trim().split(/\s+/, 2).map(Number);
      return ppid === parent && isForVisits(line) ? [pid] : [];
    })
    .sort((a, b) => a - b);
}

/** Recognises a process by its title, or by the path of its script, which `ps` shows until the process sets its title. */
function isForVisits(line: string): boolean {
  return line.includes('loopscout visits') || /visitors.child\.[jt]s/.test(line);
}
