/** How a terminal may show a text. */
export type Look =
  | 'bold'
  | 'red'
  | 'yellow'
  | 'green'
  | 'cyan'
  | 'black'
  | 'white'
  | 'bgRed'
  | 'bgYellow'
  | 'bgGreen'
  | 'bgCyan';

/** Gives the text its looks, or leaves it as it is where there are none. */
export type Paint = (looks: readonly Look[], text: string) => string;
