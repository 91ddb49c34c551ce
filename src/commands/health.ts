import { isIPv6 } from 'node:net';
import type { Help, Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

export const help: Help = {
  more: `Requests GET /health from the service at serve.host and serve.port. Container
health checks and monitors use the exit code.

Exit code: 0; 1 when no service answers there, or when it is failing.`,
  examples: ['loopscout health', 'loopscout health --json --set serve.port=8081'],
};

const TIMEOUT_MS = 5_000;

/** The properties of `GET /health` that decide the exit code. */
interface Answer {
  status?: unknown;
  problems?: unknown;
}

/** `health`: requests the health of the service on this machine; for container health checks and monitors. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  const { host, port } = settingsOf(invocation).serve;
  const url = `http://${connectableHost(host)}:${port}/health`;
  let text: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    terminal.stderr.write(
      `loopscout: no service answers at ${url} (${cause}); start it with loopscout run, or set serve.port\n`,
    );
    return 1;
  }
  const answer = parse(text);
  if (answer === null) {
    terminal.stderr.write(`loopscout: the server at ${url} is not Loopscout; stop it, or set serve.port\n`);
    return 1;
  }
  if (typeof answer.status !== 'string') {
    terminal.stderr.write(
      `loopscout: the service at ${url} failed to read its health (HTTP ${answer.status}); its log has the error\n`,
    );
    return 1;
  }
  const problems = Array.isArray(answer.problems) ? answer.problems.map(String) : [];
  terminal.stdout.write(options.json === true ? `${text}\n` : `${[answer.status, ...problems].join('\n')}\n`);
  return answer.status === 'ok' || answer.status === 'degraded' ? 0 : 1;
};

/** The host for a URL: the loopback address for a wildcard address; an IPv6 address gets brackets. */
function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

function parse(text: string): Answer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'status' in answer ? answer : null;
  } catch {
    return null;
  }
}
