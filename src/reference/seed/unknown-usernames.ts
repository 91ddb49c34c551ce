const lists = ['liked_by', 'bookmarked_by'] as const;

/**
 * What is wrong with the usernames that a video names: a sentence for each that is not among `known`. Names differ by more than
 * their case. Of a video that is no video nothing is said.
 * @param place what to call the video: `videos[3]`.
 */
export function unknownUsernames(video: unknown, place: string, known: readonly string[]): string[] {
  const given = (typeof video === 'object' && video !== null ? video : {}) as Record<string, unknown>;
  const named: [place: string, username: unknown][] = [[`${place}.by`, given.by]];
  for (const key of lists) {
    const usernames = given[key];
    if (!Array.isArray(usernames)) continue;
    named.push(...usernames.map((username, index): [string, unknown] => [`${place}.${key}[${index}]`, username]));
  }
  const names = new Set(known.map(folded));
  return named.flatMap(([where, username]) =>
    typeof username !== 'string' || names.has(folded(username))
      ? []
      : [`${where} is ${JSON.stringify(username)}; allowed: ${known.join(', ')}, or an account that is added`],
  );
}

/** As SQLite compares them: letters of ASCII whatever their case. */
function folded(username: string): string {
  return username.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
