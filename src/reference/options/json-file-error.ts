/** A JSON file of options or of a fleet that cannot be used. The message has one line for each problem, fit to print. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
  readonly kind = 'setting';
  readonly problems: readonly string[];

  /** @param file its path, or what else to call it. */
  constructor(file: string, problems: readonly string[], options?: ErrorOptions) {
    super(problems.map((problem) => `${file}: ${problem}`).join('\n'), options);
    this.problems = problems;
  }
}
