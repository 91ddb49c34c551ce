import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface TimedProcess {
  output: string;
  wallMs: number;
  /** Includes child processes. */
  cpuMs: number;
}

/** Runs any command, and measures it with the `time` of bash. @throws when it fails. */
export async function timeProcess(command: readonly string[]): Promise<TimedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  try {
    const times = join(folder, 'times.txt');
    // Descriptor 3 keeps the errors of the command out of the file with the times.
    const script = 'exec 3>&2; TIMEFORMAT="%R %U %S"; { time "$@" 2>&3; } 2>"$TIMES"';
    const child = spawn('bash', ['-c', script, 'bash', ...command], {
      cwd: folder,
      env: { ...process.env, TIMES: times },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`);
    const [wall = 0, user = 0, system = 0] = readFileSync(times, 'utf8').split(' ').map(Number);
    return { output, wallMs: wall * 1_000, cpuMs: (user + system) * 1_000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
