import { normaliseHost } from './normalise-host.ts';
import { parseAuthority } from './parse-authority.ts';

/** Whether a text is a host name as a {@link Domain} has it, with a port or without; its suffix is not judged. */
export function namesHost(text: string): boolean {
  const authority = parseAuthority(text);
  if (!authority.ok) return false;
  const normalised = normaliseHost(authority.host);
  if (!normalised.ok) return false;
  return text === (authority.port === null ? normalised.host : `${normalised.host}:${authority.port}`);
}
