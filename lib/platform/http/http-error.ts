/** What only HTTP can get wrong: the message before anyone understood it. */
export class HttpError extends Error {
  constructor(
    readonly status: 400 | 405 | 413 | 415,
    message: string,
    /** Extra facts for the answer: the fields that are wrong. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}
