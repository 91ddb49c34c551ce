import { html } from 'ghtml';
import { ASSUMPTION } from '../../views/population/population-of.ts';
import type { About } from './about.ts';
import { renderPage } from './page.ts';

const ROBOTS: Readonly<Record<About['robots'], string>> = {
  standard:
    'A group of your robots.txt that names it is obeyed for everything. The group for everyone (*) is obeyed for everything but /api/v1/config, which Loops publishes for exactly this use.',
  strict: 'Your robots.txt is obeyed for everything, whether it names this crawler or everyone (*).',
  off: 'This crawler is set to visit servers of its own operator, and does not read robots.txt.',
};

/** What this crawler is, and how many have opted out of it. */
export function aboutPage(about: About, optOuts: number): string {
  const { userAgent, contact, robotsToken, softwareId, intervals, longestHours, jitter, limits, retention } = about;
  return renderPage(
    'About this crawler',
    html`<p>Loopscout ${about.version} finds the servers of Loops, the federated short-video service, asks each what it is and what it
offers, and publishes that as a directory. It reads no posts, follows nobody, and scans no ports.</p>
<p>It calls itself <code>${userAgent}</code>. Who runs it: !${contactLink(contact)}.</p>
<h2>What it asks for</h2>
<p>A visit asks for <code>/robots.txt</code>, <code>/api/v1/config</code> and, where that leaves something open,
<code>/.well-known/nodeinfo</code> and the NodeInfo document that it names. A server that calls itself <code>${softwareId}</code>
there is listed. A visit ends after ${limits.visitSeconds} s at the latest, and of an answer no more than ${limits.bodyKiB} KiB are read.</p>
<h2>How often</h2>
<table>
<thead><tr><th scope="col">After a visit</th><th scope="col">the next one is due in</th></tr></thead>
<tbody>!${intervals.map((one) => html`<tr><td>${one.what}</td><td>${waitOf(one, longestHours)}</td></tr>`)}</tbody>
</table>
<p>Each wait is up to ${Math.round(jitter * 100)} % longer or shorter, at random. A Retry-After that asks for longer is obeyed, up to ${duration(longestHours)}.</p>
<ul>
<li>Visits begun in a second: ${most(limits.visitsPerSecond)}.</li>
<li>Visits at a time to one address: ${most(limits.perAddress)}.</li>
<li>Visits at a time under one registrable domain: ${most(limits.perRegistrableDomain)}.</li>
</ul>
<h2>What it stores</h2>
<p>What a server publishes of itself: name, description, version, features, limits and counts, and when these changed; the changes for good.
Each visit with its outcome for ${retention.visitsDays} days, its requests for ${retention.stepsDays} days, and the documents that it
received for ${retention.documentsDays} days, the last ones for as long as the domain is known. Nothing of any person is asked for.</p>
<p>The files in which visits and counts are published by month stay when what they were made from is thrown away, without the rows of
domains that opted out since, or ask not to be published.</p>
<h2>How to keep it away</h2>
<ul>
<li>${ROBOTS[about.robots]} To keep it out altogether, add this to your robots.txt. It is kept for a day, and read again
before a visit when it is older:
<br><code>User-agent: ${robotsToken}</code><br><code>Disallow: /</code></li>
<li>A server that sends <code>X-Robots-Tag: noindex</code> with its answers is not published, neither here nor in the files, until the same was read again without it.</li>
<li>Or write to !${contactLink(contact)}: an opt-out is for good, purges what is stored, and holds whoever names the domain again.
Of those who opted out nothing is told but their number, ${optOuts} so far.</li>
</ul>
<h2>How many servers are there?</h2>
<p>There is no list of all servers, so the directory cannot be known to be complete. A lower limit, &ldquo;n known of at least N&rdquo;, is estimated from the
overlap of its sources by capture-recapture (Chao 1987), and published with that overlap as <code>population</code> in <code>/api/v1/stats</code>.
${ASSUMPTION}</p>
<h2>Why is my server listed, or not?</h2>
<p><code>/api/v1/domains/</code> followed by its domain tells why, what would change that, and how the last visits went.
What else can be asked is <a href="/api">on a page of its own</a>.</p>`,
  );
}

/** A link only to what is a web or a mail address; the settings allow nothing else. */
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
