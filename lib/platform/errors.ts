/**
 * The failures that a caller may see. Services throw them; `lib/platform/http/problem.ts` turns them
 * into answers of the API, and `app/_actions/action.ts` into results of server actions.
 */
export type ErrorCode =
  | 'not_found'
  | 'forbidden'
  | 'unauthenticated'
  | 'conflict'
  | 'invalid'
  | 'limit_exceeded'
  | 'precondition_failed'
  | 'unavailable'
  | 'proof_required'
  | 'second_factor_required';

export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Extra facts for the answer: the id in the way, the field that is wrong. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export class NotFoundError extends AppError {
  constructor(message = "There is nothing here. It was deleted, or your account can't see it.") {
    super('not_found', message);
  }
}

export class ForbiddenError extends AppError {
  constructor(message: string) {
    super('forbidden', message);
  }
}

export class UnauthenticatedError extends AppError {
  constructor(message = 'Sign in, or send a valid token.') {
    super('unauthenticated', message);
  }
}

export class ConflictError extends AppError {
  constructor(message: string, details: Record<string, unknown> = {}) {
    super('conflict', message, details);
  }
}

/** `fields` maps a field's path to what is wrong with it. */
export class InvalidError extends AppError {
  constructor(
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super('invalid', message, { fields });
  }
}

export class LimitExceededError extends AppError {
  constructor(message: string, retryAfterSeconds: number) {
    super('limit_exceeded', message, { retryAfterSeconds });
  }
}

export class PreconditionFailedError extends AppError {
  constructor(message: string, details: Record<string, unknown> = {}) {
    super('precondition_failed', message, details);
  }
}

/** Something that the request needs doesn't answer now; a retry can help. */
export class UnavailableError extends AppError {
  constructor(message: string, retryAfterSeconds: number) {
    super('unavailable', message, { retryAfterSeconds });
  }
}

/** The person has to confirm who they are before a sensitive action. */
export class ProofRequiredError extends AppError {
  constructor(
    message = 'Confirm who you are, then repeat this. The last confirmation is older than 10 minutes.',
  ) {
    super('proof_required', message);
  }
}

/** The organization is only open to sign-ins with a second factor. */
export class SecondFactorRequiredError extends AppError {
  constructor(
    message = 'This organization requires a second factor. Set one up under Your profile, then try again.',
  ) {
    super('second_factor_required', message);
  }
}
