/** A page that cannot be shown, with the reason as a sentence for the user. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: 400 | 404 | 429 | 503;

  constructor(status: PageError['status'], message: string) {
    super(message);
    this.status = status;
  }
}
