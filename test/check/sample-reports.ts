import { type Finding, Report } from '../../src/check/report.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';

const INSTANCE: NonNullable<Report['instance']> = {
  domain: 'loops.example',
  url: 'https://loops.example',
  name: 'Loops Example',
  description: 'Short videos from the coast, moderated by people who live there.',
  software: 'loops',
  version: '1.0.0-beta.14',
  registration: { open: true, mode: 'curated' },
  federation: true,
  features: {
    ...unknownFeatures,
    forYouFeed: true,
    pushNotifications: true,
    starterKits: false,
    atomFeeds: true,
    gifProvider: null,
  },
  limits: {
    ...unknownLimits,
    maxVideoSizeMB: 500,
    maxVideoDurationSeconds: 180,
    videoFormats: ['mp4', 'mov'],
    maxBioLength: 150,
  },
  usage: { users: 1204, activeMonth: 310, activeHalfyear: 702, posts: 9120, asOf: '2026-08-01T12:00:00.000Z' },
  flags: [],
};

type RuleRow = readonly [area: Finding['area'], id: string, title: string];
/** The rules of the sample reports; each passes unless a sample has another finding for it. */
const SAMPLE_RULES: readonly RuleRow[] = [
  ['dns', 'dns-ipv4', 'The name has an IPv4 address'],
  ['dns', 'dns-ipv6', 'The name has an IPv6 address'],
  ['tls', 'tls-trusted', 'The certificate is trusted'],
  ['tls', 'tls-expiry', 'The certificate is valid for two weeks more'],
  ['http', 'http-redirect', 'http leads to https'],
  ['http', 'http-hsts', 'Browsers are instructed to use only https'],
  ['robots', 'robots-config', 'Crawlers may request the configuration'],
  ['config', 'config-json', 'The configuration is JSON'],
  ['config', 'config-fields-missing', 'The configuration has every field that is specified'],
  ['nodeinfo', 'nodeinfo-rel', 'Discovery has an entry for NodeInfo 2.0'],
  ['agreement', 'agreement-software', 'Configuration and NodeInfo name the same software'],
  ['api', 'api-unknown-route', 'An unknown route of the API answers 404 with JSON'],
  ['oauth', 'oauth-revoke', 'Tokens can be revoked'],
  ['federation', 'federation-webfinger', 'WebFinger finds the instance'],
];

/** A finding for a rule, which is a row or the id of a sample rule. Without changes, the rule passes. */
export function findingOf(rule: RuleRow | string, changes: Partial<Finding> = {}): Finding {
  const [area, id, title] =
    typeof rule === 'string' ? (SAMPLE_RULES.find(([, ruleId]) => ruleId === rule) ?? throwUnknownRule(rule)) : rule;
  return { id, area, title, severity: 'pass', detail: 'As it should be.', cure: null, ...changes };
}

function throwUnknownRule(id: string): never {
  throw new Error(`no sample rule ${id}`);
}

/** A report whose findings are sorted by severity, as in a check. A sample rule without a finding in `changedFindings` passes. */
export function reportOf(changedFindings: readonly Finding[] = [], overrides: Partial<Report> = {}): Report {
  const ofSampleRules = SAMPLE_RULES.map((rule) => changedFindings.find(({ id }) => id === rule[1]) ?? findingOf(rule));
  const ofOtherRules = changedFindings.filter(({ id }) => !SAMPLE_RULES.some(([, ruleId]) => ruleId === id));
  const findings = [...ofSampleRules, ...ofOtherRules];
  const rank = { fail: 0, warn: 1, info: 2, pass: 3 };
  findings.sort((a, b) => rank[a.severity] - rank[b.severity]);
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return Report.parse({
    schemaVersion: 1,
    tool: 'Loopscout 0.1.0',
    domain: 'loops.example',
    checkedAt: '2026-08-01T12:00:00.000Z',
    durationMs: 3_214,
    requests: 24,
    local: false,
    offline: false,
    cutShort: null,
    verdict: 'loops',
    reason: 'config-software',
    via: 'config',
    software: 'loops',
    version: '1.0.0-beta.14',
    aliasOf: null,
    steps: [],
    instance: INSTANCE,
    clients: (['loopscout', 'official-app', 'nodeinfo-strict', 'nodeinfo-best-effort'] as const).map((client) => ({
      client,
      sees: 'service',
      software: 'loops',
      version: '1.0.0-beta.14',
      why: 'The documents name the software.',
    })),
    counts: { pass: count('pass'), info: count('info'), warn: count('warn'), fail: count('fail') },
    findings,
    notJudged: [],
    ...overrides,
  } satisfies Report);
}

export const healthyReport = (): Report => reportOf();

/** The stock software behind an ordinary proxy. */
export const stockReport = (): Report =>
  reportOf([
    findingOf('robots-config', {
      severity: 'warn',
      detail:
        'robots.txt has `Disallow: /api/` for every crawler, and no line that allows /api/v1/config: strict crawlers and common bots leave it alone.',
      cure: 'Add this line to the group of `User-agent: *` in public/robots.txt:\n    Allow: /api/v1/config',
    }),
    findingOf('oauth-revoke', {
      severity: 'info',
      detail: 'POST /oauth/revoke answers 404. This software has no such route yet; nothing needs to be done.',
    }),
  ]);

/** A server with many failures. */
export const brokenReport = (): Report =>
  reportOf(
    [
      findingOf('tls-expiry', {
        severity: 'fail',
        detail: 'It expires on 2026-08-05, in 4 days.',
        cure: 'Renew the certificate now, and enable automatic renewal:\n    certbot renew --cert-name loops.example --deploy-hook "systemctl reload nginx" --non-interactive --agree-tos\n    systemctl enable --now certbot.timer\nThen check that the timer runs: `systemctl list-timers certbot`.',
      }),
      findingOf('config-json', {
        severity: 'fail',
        detail: 'It answers 200 with HTML of 18,204 bytes, which begins "<!DOCTYPE html><html lang=en>".',
        cure: 'Pass the API to PHP instead of the web app. In nginx:\n    location /api/ {\n        try_files $uri /index.php?$query_string;\n    }',
      }),
      findingOf('http-hsts', {
        severity: 'warn',
        detail: 'There is no Strict-Transport-Security header.',
        cure: 'In the server block of nginx for port 443:\n    add_header Strict-Transport-Security "max-age=31536000" always;',
      }),
    ],
    {
      verdict: 'unidentified',
      reason: 'web-app',
      via: null,
      software: null,
      version: null,
      instance: null,
      cutShort: 'the 60 seconds that a check may take were used up',
      clients: [
        {
          client: 'loopscout',
          sees: 'nothing',
          software: null,
          version: null,
          why: 'The configuration is HTML, and so is NodeInfo.',
        },
        {
          client: 'nodeinfo-strict',
          sees: 'other',
          software: 'mastodon',
          version: '4.4.1',
          why: 'NodeInfo names mastodon.',
        },
      ],
    },
  );

/** Text that would break a terminal, a page or a file, in every known way. */
export const HOSTILE = [
  '\u001b[31mred\u001b[0m\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u009b2J\u0000\u0008',
  ']]><!-- --><script>alert(1)</script><img src=x onerror=alert(1)>&amp;&#0;',
  '`tick` ``` ```` | pipe | *star* _under_ ~~gone~~ [text](javascript:alert(1)) ![i](https://evil.example/i.png) $x$',
  '\u202egnp.exe\u2066\u200f @everyone @octocat #1 \ud800 \uffff </details>\r\n# Heading\r\n===\r\n```\r\n1. one',
].join(' ');

/** Hostile text in the fields of free text, in some of them over a megabyte long. */
export const hostileReport = (): Report => {
  const long = HOSTILE.repeat(3_000);
  const detail = `${HOSTILE}\n${'x'.repeat(1_000_000)}\n${long}`;
  const report = reportOf(
    [
      findingOf('config-json', {
        severity: 'fail',
        title: long,
        detail,
        cure: `${HOSTILE}\n    ${HOSTILE}\n\`\`\`\n${long}`,
      }),
      findingOf('http-hsts', { severity: 'warn', detail: HOSTILE, cure: `    ${HOSTILE}\n${HOSTILE}` }),
      findingOf('oauth-revoke', { severity: 'info', title: HOSTILE, detail }),
    ],
    { tool: HOSTILE, version: long, software: HOSTILE, cutShort: detail },
  );
  const instance = {
    ...INSTANCE,
    name: HOSTILE,
    description: long,
    version: HOSTILE,
    registration: { open: null, mode: HOSTILE },
    limits: { ...INSTANCE.limits, videoFormats: Array.from({ length: 1_000 }, () => HOSTILE) },
  };
  const clients = report.clients.map((view) => ({
    ...view,
    sees: 'other' as const,
    software: HOSTILE,
    version: long,
    why: detail,
  }));
  return { ...report, instance, clients };
};

/** The non-hostile samples by name. */
export const SAMPLES = { healthy: healthyReport, stock: stockReport, broken: brokenReport };
