import { html } from 'ghtml';

/** Where a form of the consent pages goes, and what shows that it is one of theirs. */
export interface FormTarget {
  /** The authorization request as it came, so that it is judged anew. */
  readonly rawQuery: string;
  /** Of `createFormToken`. */
  readonly token: string;
}

/** A form around `fields`, which are HTML. */
export function renderForm({ rawQuery, token }: FormTarget, fields: string): string {
  return html`<form method="post" action="/oauth/authorize?${rawQuery}">
<input type="hidden" name="token" value="${token}">
!${fields}
</form>`;
}
