declare module 'ghtml' {
  /** Escapes every value, except after `!`: `!${html}`. */
  export function html(literals: TemplateStringsArray, ...values: unknown[]): string;
}
