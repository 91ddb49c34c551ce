/** Characters that take no place on a screen (UAX #44), but for those that choose how the one before them looks. */
const INVISIBLE = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
/** What a joiner follows where it joins: an emoji of several, or a letter of a script that is written joined (UAX #29, UAX #31). */
const BEFORE_JOINER =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{M}|\p{Script=Arabic}|\p{Script=Syriac})$/u;
const AFTER_JOINER = /^(?:\p{Extended_Pictographic}|\p{Lo}|\u2640|\u2642)/u;

/** Text in which what would not be seen is named, `U+200B`: two names that differ do not look the same. */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, (character, at: number) => {
    const isJoiner = character === '\u200c' || character === '\u200d';
    const before = text.slice(Math.max(0, at - 2), at);
    if (isJoiner && BEFORE_JOINER.test(before) && AFTER_JOINER.test(text.slice(at + 1, at + 3))) return character;
    return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
