/** Control characters, line and paragraph separators, and the characters that turn the direction of text around (UAX #9). */
export const UNSAFE_CHARACTERS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
