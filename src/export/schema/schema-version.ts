/** Version of every exported shape. Raised only when a field disappears or changes type; new fields do not raise it. */
export const SCHEMA_VERSION = 1;
