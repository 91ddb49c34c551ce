/** The site that a check says it asks from, to see whether the scripts of other sites may read an answer. */
export const FOREIGN_ORIGIN = 'https://client.example';
