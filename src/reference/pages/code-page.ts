import { html } from 'ghtml';
import { renderPage } from './page.ts';

/** Shows the code to a user whose app nothing can be redirected to; one click selects it whole. */
export function codePage(server: string, appName: string, code: string): string {
  return renderPage({
    title: 'Your code',
    server,
    content: html`<p><label for="code">Copy this code into <bdi>${appName}</bdi>. It holds for one use, and not for long.</label></p>
<output id="code" tabindex="0">${code}</output>`,
  });
}
