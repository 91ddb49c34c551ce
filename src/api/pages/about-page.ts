import { html } from 'ghtml';
import { ASSUMPTION } from '../../views/population/population-of.ts';
import type { About } from './about.ts';

const ROBOTS: Readonly<Record<About['robots'], string>> = {
  standard:
    'A robots.txt group that names this crawler is obeyed for everything. The group for all crawlers (*) is obeyed for everything except /api/v1/config, which Loops publishes for exactly this use.',
  strict: 'Your robots.txt is obeyed for everything, whether a group names this crawler or all crawlers (*).',
  off: 'This crawler visits the servers of its own operator and does not read robots.txt.',
};

/** The content of the page; escaped HTML. */
export function aboutPage(about: About, optOutCount: number): string {
  const { userAgent, contact, robotsToken, softwareId, intervals, longestHours, jitter, limits, retention } = about;
  return html`<h1>About this crawler</h1>
<p>Loopscout ${about.version} finds the servers of Loops, the federated short-video service, identifies each one and its
features, and publishes a directory. It reads no posts, follows nobody, and scans no ports.</p>
<p>Its user agent is <code>${userAgent}</code>. Contact: !${contactLink(contact)}.</p>
<h2>What it requests</h2>
<p>A visit requests <code>/robots.txt</code>, <code>/api/v1/config</code> and, if needed,
<code>/.well-known/nodeinfo</code> and the NodeInfo document it links to. A server that reports the software <code>${softwareId}</code>
is listed. A visit takes at most ${limits.visitSeconds} s and reads at most ${limits.bodyKiB} KiB of each response.</p>
<h2>How often</h2>
<table>
<thead><tr><th scope="col">After a visit</th><th scope="col">the next one is due after</th></tr></thead>
<tbody>!${intervals.map((interval) => html`<tr><td>${interval.what}</td><td>${waitOf(interval, longestHours)}</td></tr>`)}</tbody>
</table>
<p>Each wait is randomly up to ${Math.round(jitter * 100)} % longer or shorter. A longer Retry-After is obeyed, up to ${duration(longestHours)}.</p>
<ul>
<li>Visits started per second: ${most(limits.visitsPerSecond)}.</li>
<li>Concurrent visits per address: ${most(limits.perAddress)}.</li>
<li>Concurrent visits per registrable domain: ${most(limits.perRegistrableDomain)}.</li>
</ul>
<h2>What it stores</h2>
<p>The facts that a server publishes: name, description, version, features, limits and counts, and all their changes, permanently.
Each visit with its outcome for ${retention.visitsDays} days, its requests for ${retention.stepsDays} days, and the documents
received for ${retention.documentsDays} days, the last ones for as long as the domain is known. No personal data is requested.</p>
<p>The monthly files of visits and counts stay after the data behind them is deleted, without the rows of domains that have since opted
out or ask not to be published.</p>
<h2>How to keep it away</h2>
<ul>
<li>${ROBOTS[about.robots]} To block it completely, add this to your robots.txt, which is cached for a
day:
<br><code>User-agent: ${robotsToken}</code><br><code>Disallow: /</code></li>
<li>A server that sends <code>X-Robots-Tag: noindex</code> is not published, neither here nor in the files, until the same response has been read again without that header.</li>
<li>Or write to !${contactLink(contact)}: an opt-out is permanent, purges the stored data, and applies whoever submits the domain again.
Only the number of opt-outs is published, ${optOutCount} so far.</li>
</ul>
<h2>How many servers are there?</h2>
<p>There is no complete list of servers. A lower limit, &ldquo;n known of at least N&rdquo;, is estimated from the
overlap of the sources by capture-recapture (Chao 1987), and published with that overlap as <code>population</code> in <code>/api/v1/stats</code>.
${ASSUMPTION}</p>
<h2>Why is my server listed, or not?</h2>
<p><code>/api/v1/domains/</code> followed by its domain explains why, what would change that, and how the last visits went.
The <a href="/api">API page</a> lists all other requests.</p>`;
}

/** The settings allow only web and mail addresses. */
function contactLink(contact: string): string {
  if (/^https:\/\//i.test(contact)) return html`<a href="${contact}" rel="nofollow">${contact}</a>`;
  const address = contact.replace(/^mailto:/i, '');
  return html`<a href="mailto:${address}">${address}</a>`;
}

function waitOf({ hours, doubles }: About['intervals'][number], longestHours: number): string {
  const isDoubled = doubles && hours < longestHours;
  return isDoubled ? `${duration(hours)}, doubled each time, up to ${duration(longestHours)}` : duration(hours);
}

function most(limit: number): string {
  return limit === 0 ? 'any number' : `at most ${limit}`;
}

function duration(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} minutes`;
  if (hours < 48) return hours === 1 ? '1 hour' : `${round(hours)} hours`;
  return `${round(hours / 24)} days`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
