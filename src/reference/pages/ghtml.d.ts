declare module 'ghtml' {
  /** Escapes what is put in, except after `!`: `!${html}`. */
  export function html(literals: TemplateStringsArray, ...values: unknown[]): string;
}
