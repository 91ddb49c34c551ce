/** Whether who answers at a URL asked to be left alone. Asked before every request of every hop, so it must be cheap. */
export type OptOutGuard = (url: URL) => boolean;

/** What is about nobody's opt-out, such as a check of one's own server. */
export const NOBODY_OPTED_OUT: OptOutGuard = () => false;

/** What stands in words in the place of a host that is not to be named. */
export const A_HOST_LEFT_ALONE = 'a host that is not asked';

/** @param isOptedOut of a host, with a port other than 443 or without, as a Domain has it. */
export function createOptOutGuard(isOptedOut: (host: string) => boolean): OptOutGuard {
  return ({ protocol, hostname, port }) => {
    // The root label, if it is written, is the same host (RFC 1034 section 3.1).
    const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
    const actual = port === '' && protocol === 'http:' ? '80' : port;
    return isOptedOut(actual === '' || actual === '443' ? host : `${host}:${actual}`);
  };
}
