import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyPage, type Page } from '../../src/http/page-class.ts';
import { ANY_CHARACTER } from '../any-character.ts';
import { CONFIG, DISCOVERY, html, json, type Reply, visitScript } from './scripted-visit.ts';

const page = (body: string, status = 200, headers: Page['headers'] = {}): Page => ({
  status,
  headers,
  body: new TextEncoder().encode(body),
});
const titled = (title: string, rest = '<p>Words.</p>') =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${rest}</body></html>`;

const LONG = `<main><p>${'Words. '.repeat(100)}</p></main>`;

describe('classifyPage', () => {
  it.each<[what: string, given: Page, pageClass: string, by: string | null]>([
    ['a Cloudflare header', page('', 403, { 'cf-mitigated': 'challenge' }), 'challenge-page', 'Cloudflare'],
    ['a Cloudflare title', page(titled('Just a moment...'), 503), 'challenge-page', 'Cloudflare'],
    [
      'a Cloudflare script',
      page(titled('Moment', '<script>window._cf_chl_opt={cType:"managed"}</script>')),
      'challenge-page',
      'Cloudflare',
    ],
    ['Anubis', page(titled('Making sure you&#39;re not a bot!')), 'challenge-page', 'Anubis'],
    [
      'Anubis by its script',
      page(titled('Hold on', '<script type="module" src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>')),
      'challenge-page',
      'Anubis',
    ],
    [
      'DDoS-Guard',
      page('', 403, { server: 'ddos-guard', 'set-cookie': ['__ddg1_=x; Path=/'] }),
      'challenge-page',
      'DDoS-Guard',
    ],
    [
      'Imperva',
      page('<html><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9"></iframe></html>'),
      'challenge-page',
      'Imperva',
    ],
    ['AWS WAF', page('', 202, { 'x-amzn-waf-action': 'challenge' }), 'challenge-page', 'AWS WAF'],
    ['Vercel', page(titled('Vercel Security Checkpoint'), 429), 'challenge-page', 'Vercel'],
    [
      'Sedo',
      page(titled('clips.example', '<script src="//img.sedoparking.com/x.js"></script>')),
      'parked-page',
      'Sedo',
    ],
    ['GoDaddy', page(titled('x', '<script>window.LANDER_SYSTEM="CP"</script>')), 'parked-page', 'GoDaddy'],
    ['a domain name for sale', page(titled('The domain clips.example is for sale')), 'parked-page', null],
    [
      'a domain name on a marketplace',
      page(titled('ClipStore.example is for sale | HugeDomains')),
      'parked-page',
      null,
    ],
    [
      'a domain name for sale with a page of links',
      page(titled('clips.example - This website is for sale! - clips Resources and Information.')),
      'parked-page',
      null,
    ],
    [
      'a page that frames a marketplace',
      page(titled('clips', '<iframe src="https://www.hugedomains.com/domain_profile.cfm?d=clips"></iframe>')),
      'parked-page',
      'HugeDomains',
    ],
    [
      'a page that redirects to a marketplace',
      page('<html><meta http-equiv="Refresh" content="0; url=https://sedo.com/search/?x"></html>'),
      'parked-page',
      'Sedo',
    ],
    [
      'a refused request whose long page loads a challenge script',
      page(titled('Denied', `<p>${'x '.repeat(600)}</p><script>window._pxAppId="x"</script>`), 403),
      'challenge-page',
      'PerimeterX',
    ],
    ['DataDome', page('{"url":"x"}', 403, { 'x-datadome': 'protected' }), 'challenge-page', 'DataDome'],
    [
      'maintenance after the name of the site in a sentence',
      page(titled('Clips is under maintenance')),
      'maintenance-page',
      null,
    ],
    [
      'maintenance after the name of the site and a hyphen',
      page(titled('Clips - Maintenance')),
      'maintenance-page',
      null,
    ],
    ['an overloaded proxy', page(titled('503 Service Temporarily Unavailable'), 503), 'maintenance-page', null],
    ['nginx', page(titled('Welcome to nginx!')), 'default-page', 'nginx'],
    ['Apache on Debian', page(titled('Apache2 Debian Default Page: It works')), 'default-page', 'Apache'],
    ['IIS', page(titled('IIS Windows Server')), 'default-page', 'IIS'],
    ['Caddy', page(titled('Caddy works!')), 'default-page', 'Caddy'],
    ['maintenance', page(titled('Down for maintenance'), 503), 'maintenance-page', null],
    ['a web app', page('<!doctype html><div id="app"></div><script src="/app.js"></script>'), 'web-app', null],
  ])('recognises %s', (_what, given, pageClass, by) => {
    expect(classifyPage(given)).toEqual({ class: pageClass, by });
  });

  it.each<[string, Page]>([
    ['JSON', page('{"message":"Just a moment..."}')],
    ['XML', page('<?xml version="1.0"?><title>Welcome to nginx!</title>')],
    ['an empty body', page('')],
    ['an ordinary page', page(titled('A blog', `<main>${'Words. '.repeat(100)}</main><script src="/x.js"></script>`))],
    [
      'an article about challenges',
      page(titled('How Cloudflare works', `<p>Just a moment... _cf_chl_opt ${'x '.repeat(300)}</p>`)),
    ],
    ['a not-found page of a web app', page('<div id="app"></div><script src="/app.js"></script>', 404)],
    ['an article that mentions a marketplace', page(titled('News', `<p>dan.com/buy-domain ${'x '.repeat(300)}</p>`))],
    ...[
      'Why is parked car insurance needed',
      'When Everything Is for Sale | A Marxist Blog',
      'Careers in maintenance and repair',
      'Careers in maintenance | Clips',
      'Just a moment in time',
      'How to be right back in the game',
      'House for sale',
    ].map((title): [string, Page] => [`a page titled ${title}`, page(titled(title, LONG))]),
    ...[
      '<script src="/_Incapsula_Resource?SWJIYLWA=719"></script>',
      '<script>window._pxAppId="PX1"</script>',
      '<script src="/cdn-cgi/challenge-platform/scripts/jsd/api.js"></script>',
      '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
      '<script src="https://x.token.awswaf.com/x/challenge.js"></script>',
      '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
      '<a href="https://sedo.com/search/">Names</a>',
      '<a href="https://www.hugedomains.com/domain_profile.cfm?d=x">Names</a>',
    ].flatMap((mark): [string, Page][] => [
      [`a long page that has ${mark}`, page(titled('A page', LONG + mark))],
      [`a long not-found page that has ${mark}`, page(titled('Not found', LONG + mark), 404)],
      [`a short not-found page that has ${mark}`, page(titled('Not found', mark), 404)],
    ]),
    ['a page that DataDome let through', page(titled('Not found', LONG), 404, { 'x-datadome': 'protected' })],
    [
      'a page that DDoS-Guard let through',
      page(titled('Not found', LONG), 404, { server: 'ddos-guard', 'set-cookie': ['__ddg1_=x'] }),
    ],
  ])('returns null for %s', (_what, given) => {
    expect(classifyPage(given)).toBeNull();
  });

  it('handles thousands of nested elements', () => {
    expect(classifyPage(page(`${'<div>'.repeat(3_000)}<script src="/app.js"></script>`))).toEqual({
      class: 'web-app',
      by: null,
    });
    expect(
      classifyPage(page(`${'<div>'.repeat(3_000)}${'word '.repeat(200)}<script src="/app.js"></script>`)),
    ).toBeNull();
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: ANY_CHARACTER }), (bytes, text) => {
        classifyPage({ status: 200, headers: {}, body: bytes });
        classifyPage(page(`<${text}`));
      }),
      { numRuns: 80 },
    );
  });
});

describe('a visit that receives web pages', () => {
  const challenge: Reply = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: titled('Just a moment...') };

  it('has the reason challenge-page, and its steps name the vendor', async () => {
    const { visit } = await visitScript({ [CONFIG]: challenge, [DISCOVERY]: challenge });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'challenge-page' });
    expect(visit.steps.map(({ note }) => note)).toContain('a challenge page of Cloudflare, not a document');
  });

  it('is unidentified, not unreachable, when a server error carries a challenge page', async () => {
    const busy: Reply = { ...challenge, status: 503 };
    const { visit } = await visitScript({ [CONFIG]: [busy, busy], [DISCOVERY]: busy });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'challenge-page' });
  });

  it('is unreachable when a server error carries a maintenance page', async () => {
    const busy: Reply = { status: 503, body: titled('Down for maintenance') };
    const { visit } = await visitScript({ [CONFIG]: [busy, busy], [DISCOVERY]: busy });
    expect(visit).toMatchObject({ verdict: 'unreachable', reason: 'http-5xx' });
    expect(visit.steps.at(-1)?.code).toBe('maintenance-page');
  });

  it('has no page class as its reason when NodeInfo decides', async () => {
    const { visit } = await visitScript({ [CONFIG]: html, [DISCOVERY]: json({ links: [] }) });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' });
  });
});
