import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { codeBlock, escapeMarkdown, reportMarkdown as markdownOf } from '../../src/report/markdown.ts';
import { findingOf, HOSTILE, hostileReport, reportOf, wreckReport } from '../check/sample-reports.ts';

const reportMarkdown = (report: Report) => markdownOf(reportView(report));

/** As GitHub renders it, and with HTML let through, so that any that was smuggled in would be seen. */
const render = (markdown: string) =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
const tagsOf = (html: string) => [...html.matchAll(/<(\/?\w+)/g)].map(([, tag = '']) => tag);

/** The same report, with every value that a server could choose made harmless. */
function harmless(report: Report): Report {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > 40 ? 'word' : value;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
  };
  return walk(report) as Report;
}

describe('the Markdown report', () => {
  it('has the verdict, each finding with its cure as a block to copy, and the tables', () => {
    const html = render(reportMarkdown(wreckReport()));
    expect(html).toMatch(/^<h2>✗ FAIL: loops\.example is not seen as a Loops server/);
    expect(html).toContain('<h3>✗ FAIL <code>tls-expiry</code></h3>');
    expect(html).toContain('<code>systemctl list-timers certbot</code>');
    expect(html).toContain('systemctl enable --now certbot.timer\n</code></pre>');
    expect(html).toContain('<td>other software, mastodon 4.4.1</td>');
    expect(html).toContain('<summary>Passed: 11 checks</summary>');
  });

  it('is not changed by what is hostile: the same elements as of a harmless one, no link, no image, no script', () => {
    const prose = (report: Report) => ({
      ...report,
      findings: report.findings.map((finding) => ({
        ...finding,
        detail: finding.detail.replaceAll(/[\r\n]+/g, ' '),
        cure: null,
      })),
    });
    const html = render(reportMarkdown(prose(hostileReport())));
    const expected = render(reportMarkdown(harmless(prose(hostileReport()))));
    const structure = (text: string) => tagsOf(text).filter((tag) => !/^\/?code$/.test(tag));
    expect(structure(html)).toEqual(structure(expected));
    for (const tag of ['a', 'img', 'script', 'del', 'em', 'input']) expect(tagsOf(html)).not.toContain(tag);
  });

  it('lets no line of a cure out of its block of code, and no detail into one', () => {
    const html = render(reportMarkdown(hostileReport()));
    for (const tag of ['a', 'img', 'script', 'ol', 'h1', 'hr', 'em', 'del']) expect(tagsOf(html)).not.toContain(tag);
    expect(tagsOf(html).filter((tag) => tag === 'details')).toHaveLength(1);
    expect(reportMarkdown(hostileReport()).length).toBeLessThan(100_000);
  });

  it('calls nobody: neither a person nor an issue is mentioned', () => {
    const text = reportMarkdown(
      reportOf([findingOf('config-json', { severity: 'info', detail: 'by @octocat in #12' })]),
    );
    expect(text).toContain('@\u2060octocat in #\u206012');
  });
});

it.for([
  ...[
    '# a',
    '- a',
    '+ a',
    '* a',
    '1. a',
    '12) a',
    '=== ',
    '---',
    '> a',
    '    a',
    '```',
    '~~~',
    '| a | b |',
    '[a]: b',
    '<b>',
    '&lt;',
  ],
  ...[
    'a\\',
    '\\*a*',
    '`a``b`',
    '``*a*``',
    '`a` `',
    'a`*b*`c',
    '`\\`*a*`',
    '![a](b)',
    '<https://a.example>',
    '[x](y)',
    '~a~',
    '__a__',
  ],
  ...['https://a.example', 'www.a.example', 'a@b.example', HOSTILE.replaceAll(/[\r\n]+/g, ' ')],
])('a line is text and nothing else after escaping: %j', (line) => {
  const html = micromark(`before ${escapeMarkdown(line)}`, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  expect(tagsOf(html).filter((tag) => !/^\/?(?:code|p)$/.test(tag))).toEqual([]);
  const alone = micromark(escapeMarkdown(line.trimStart()), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  expect(tagsOf(alone).filter((tag) => !/^\/?(?:code|p)$/.test(tag))).toEqual([]);
});

it('a block of code holds fences of any length', () => {
  const lines = ['```', 'a', '`````', '~~~'];
  expect(micromark(codeBlock(lines))).toBe(`<pre><code class="language-text">${lines.join('\n')}\n</code></pre>`);
});
