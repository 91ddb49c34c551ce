import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { codeBlock, escapeMarkdown, reportMarkdown as markdownOf } from '../../src/report/markdown.ts';
import { brokenReport, findingOf, HOSTILE, hostileReport, reportOf } from '../check/sample-reports.ts';

const reportMarkdown = (report: Report) => markdownOf(reportView(report));

/** Renders like GitHub, but keeps HTML so that injected elements are visible. */
const render = (markdown: string) =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
const tagsOf = (html: string) => [...html.matchAll(/<(\/?\w+)/g)].map(([, tag = '']) => tag);

/** Replaces every text of more than 40 characters, which includes all hostile ones, with a harmless word. */
function sanitize(report: Report): Report {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > 40 ? 'word' : value;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
  };
  return walk(report) as Report;
}

describe('the Markdown report', () => {
  it('has the verdict, each finding with its cure as a code block, and the tables', () => {
    const html = render(reportMarkdown(brokenReport()));
    expect(html).toMatch(/^<h2>✗ FAIL: loops\.example is not seen as a Loops server/);
    expect(html).toContain('<h3>✗ FAIL <code>tls-expiry</code></h3>');
    expect(html).toContain('<code>systemctl list-timers certbot</code>');
    expect(html).toContain('systemctl enable --now certbot.timer\n</code></pre>');
    expect(html).toContain('<td>other software, mastodon 4.4.1</td>');
    expect(html).toContain('<summary>Passed: 11 checks</summary>');
  });

  it('has the same elements for hostile as for harmless text: no link, image or script', () => {
    const withoutLineBreaksAndCures = (report: Report) => ({
      ...report,
      findings: report.findings.map((finding) => ({
        ...finding,
        detail: finding.detail.replaceAll(/[\r\n]+/g, ' '),
        cure: null,
      })),
    });
    const html = render(reportMarkdown(withoutLineBreaksAndCures(hostileReport())));
    const expected = render(reportMarkdown(sanitize(withoutLineBreaksAndCures(hostileReport()))));
    const structure = (text: string) => tagsOf(text).filter((tag) => !/^\/?code$/.test(tag));
    expect(structure(html)).toEqual(structure(expected));
    for (const tag of ['a', 'img', 'script', 'del', 'em', 'input']) expect(tagsOf(html)).not.toContain(tag);
  });

  it('has no element that a hostile cure or detail would add, and a limited length', () => {
    const html = render(reportMarkdown(hostileReport()));
    for (const tag of ['a', 'img', 'script', 'ol', 'h1', 'hr', 'em', 'del']) expect(tagsOf(html)).not.toContain(tag);
    expect(tagsOf(html).filter((tag) => tag === 'details')).toHaveLength(1);
    expect(reportMarkdown(hostileReport()).length).toBeLessThan(100_000);
  });

  it('does not turn @name or #12 into a link to a user or an issue', () => {
    const text = reportMarkdown(
      reportOf([findingOf('config-json', { severity: 'info', detail: 'by @octocat in #12' })]),
    );
    expect(text).toContain('@\u2060octocat in #\u206012');
  });
});

it.for([
  // What begins a block.
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
  // What marks text within a line.
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
  // What GitHub links by itself, and everything at once.
  ...['https://a.example', 'www.a.example', 'a@b.example', HOSTILE.replaceAll(/[\r\n]+/g, ' ')],
])('an escaped line is plain text: %j', (line) => {
  const html = micromark(`before ${escapeMarkdown(line)}`, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  expect(tagsOf(html).filter((tag) => !/^\/?(?:code|p)$/.test(tag))).toEqual([]);
  const lineStartHtml = micromark(escapeMarkdown(line.trimStart()), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  expect(tagsOf(lineStartHtml).filter((tag) => !/^\/?(?:code|p)$/.test(tag))).toEqual([]);
});

it('a code block can contain fences of any length', () => {
  const lines = ['```', 'a', '`````', '~~~'];
  expect(micromark(codeBlock(lines))).toBe(`<pre><code class="language-text">${lines.join('\n')}\n</code></pre>`);
});
