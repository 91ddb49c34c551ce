import { randomBytes } from 'node:crypto';

const PATTERN = /^\.[\w.-]+\.(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** The name under which a file is written before it is published: `.NAME.PID-RANDOM.tmp`, hidden and unique. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** The process that a temporary file belongs to, by its name; null when the name is not one of ours. */
export function processOfTemporary(name: string): number | null {
  const match = PATTERN.exec(name);
  return match === null ? null : Number(match[1]);
}
