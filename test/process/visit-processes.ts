import { execFileSync } from 'node:child_process';

/** Returns the ids of the child processes in which a process makes its visits, in ascending order. */
export function findVisitProcesses(parent: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/\s+/, 2)
        .map(Number)
        .concat(isForVisits(line) ? 1 : 0),
    )
    .filter(([, ppid, isVisit]) => ppid === parent && isVisit === 1)
    .map(([pid = 0]) => pid)
    .sort((a, b) => a - b);
}

/** Until the process sets its title, `ps` shows the path of its script. */
function isForVisits(line: string): boolean {
  return line.includes('loopscout visits') || /visitors.child\.[jt]s/.test(line);
}
