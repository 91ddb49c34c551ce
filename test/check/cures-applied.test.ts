import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/check/report.ts';
import { RULES } from '../../src/check/rules.ts';
import {
  checkHost,
  IPV4,
  IPV6,
  type OperatorHost,
  type OperatorHostOptions,
  startOperatorHost,
} from './operator-host.ts';

/** A robots.txt that forbids config to everyone. */
const API_FORBIDDEN = 'User-agent: *\nAllow: /\nDisallow: /api/\n';

/** The lines of a cure that an operator pastes. A finding with severity `info` has no cure, so that of its rule is used. */
const linesToPaste = ({ id, cure }: Finding) =>
  (cure ?? RULES.find((rule) => rule.id === id)?.cure ?? '')
    .split('\n')
    .flatMap((line) => (line.startsWith('    ') ? [line.trim()] : []));

/** What the group of the pattern matches in the first line that matches the pattern. The test fails if no line does. */
function firstMatch(lines: readonly string[], pattern: RegExp): string {
  const value = lines.map((line) => pattern.exec(line)?.[1]).find((group) => group !== undefined);
  expect(value, `${pattern} among ${JSON.stringify(lines)}`).toBeDefined();
  return value ?? '';
}

interface Row {
  /** The rule whose cure is followed. */
  id: string;
  /** The host on which the rule does not pass. */
  host: OperatorHostOptions;
  /** Applies the pasted lines of the cure to the host. */
  paste: (host: OperatorHost, lines: readonly string[]) => void;
}

/** The address in the pasted zone record of this type; a placeholder becomes the host's own address. */
function addressOf(lines: readonly string[], type: 'A' | 'AAAA'): string {
  const record = new RegExp(`^loops\\.example\\.  3600  IN  ${type}  (\\S+)$`);
  return firstMatch(lines, record).replace('YOUR-IPV4-ADDRESS', IPV4).replace('YOUR-IPV6-ADDRESS', IPV6);
}

const ROWS: readonly Row[] = [
  {
    id: 'robots-config',
    host: { server: { robots: API_FORBIDDEN } },
    paste: ({ server }, lines) => {
      server.state.robots = `${API_FORBIDDEN}Allow: ${firstMatch(lines, /^Allow: (\S+)$/)}\n`;
    },
  },
  {
    id: 'robots-nodeinfo',
    host: { server: { robots: 'User-agent: *\nDisallow: /.well-known/\nDisallow: /nodeinfo/\n' } },
    paste: ({ server }, lines) => {
      server.state.robots = `User-agent: *\nDisallow: /.well-known/\nDisallow: /nodeinfo/\n${lines.join('\n')}\n`;
    },
  },
  {
    id: 'http-hsts',
    host: { hsts: null },
    paste: ({ behaviour }, lines) => {
      behaviour.hsts = firstMatch(lines, /^add_header Strict-Transport-Security "([^"]+)" always;$/);
    },
  },
  {
    id: 'tls-protocol',
    host: { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.3' } },
    paste: ({ behaviour }, lines) => {
      const [minVersion, maxVersion] = firstMatch(lines, /^ssl_protocols ([^;]+);$/).split(' ');
      behaviour.tls = { minVersion: minVersion as 'TLSv1.2', maxVersion: maxVersion as 'TLSv1.3' };
    },
  },
  {
    id: 'dns-resolves',
    host: { ipv4: [], ipv6: [] },
    paste: ({ behaviour }, lines) => {
      behaviour.ipv4 = [addressOf(lines, 'A')];
      behaviour.ipv6 = [addressOf(lines, 'AAAA')];
    },
  },
  {
    id: 'dns-ipv4',
    host: { ipv4: [] },
    paste: ({ behaviour }, lines) => {
      behaviour.ipv4 = [addressOf(lines, 'A')];
    },
  },
  {
    id: 'config-url',
    host: { server: { config: { app: { url: 'https://localhost' } } } },
    paste: ({ server }, lines) => {
      server.state.config.app.url = firstMatch(lines, /^APP_URL=(\S+)$/);
    },
  },
  {
    id: 'tls-names',
    host: {
      certificate: { names: ['other.example'], fromDay: -10, toDay: 80, signer: 'trusted', sendsIntermediate: true },
    },
    paste: ({ behaviour }, lines) => {
      const names = firstMatch(lines, /^certbot --nginx (-d .+)$/)
        .split(/\s*-d /)
        .filter((name) => name !== '');
      behaviour.certificate = { ...behaviour.certificate, names };
    },
  },
  {
    id: 'http-redirect',
    host: { http: 'serves' },
    paste: ({ behaviour }, lines) => {
      const target = firstMatch(lines, /^return 301 (\S+);$/);
      expect(target).toBe('https://$host$request_uri');
      behaviour.http = 'redirects';
    },
  },
];

describe('following the instructions of a cure', () => {
  it.each(ROWS)('makes $id pass', async ({ id, host: options, paste }) => {
    const host = await startOperatorHost(options);
    const currentFinding = async () =>
      (await checkHost(host, { rules: RULES, only: [id] })).findings.find((finding) => finding.id === id);
    const broken = await currentFinding();
    expect(broken?.severity).toMatch(/^(?:fail|warn|info)$/);
    paste(host, broken === undefined ? [] : linesToPaste(broken));
    expect((await currentFinding())?.severity).toBe('pass');
  });
});
