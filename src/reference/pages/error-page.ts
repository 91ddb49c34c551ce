import { html } from 'ghtml';
import { renderPage } from './page.ts';

export interface Problem {
  readonly server: string;
  readonly title: string;
  /** A whole sentence. */
  readonly reason: string;
  /** The code of the error, for whoever writes the app. */
  readonly code?: string;
  /** Query of the request to start again from. */
  readonly retry?: string;
}

/** Says that the request went no further; nobody is redirected from here. */
export function errorPage({ server, title, reason, code, retry }: Problem): string {
  const codeLine = code === undefined ? '' : html`<p>For the developer of the app: <code id="error">${code}</code></p>`;
  const again = retry === undefined ? '' : html`<p><a href="/oauth/authorize?${retry}">Start again</a></p>`;
  return renderPage({ title, server, content: html`<p role="alert">${reason}</p>!${codeLine}!${again}` });
}
