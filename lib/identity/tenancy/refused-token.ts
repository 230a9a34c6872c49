import { UnauthenticatedError } from '@/lib/platform/errors';

/** A token of an organization that is no longer valid. */
export interface Refusal {
  organizationId: string;
  action: 'api_token.refused' | 'runner.key_refused' | 'runner.token_refused';
  /** Typed id of the token or runner. */
  target: string;
  name?: string;
  reason: 'revoked' | 'expired' | 'used';
}

/** Thrown for a known token that isn't valid. The answer is that for an unknown one. */
export class RefusedTokenError extends UnauthenticatedError {
  constructor(
    message: string,
    readonly refusal: Refusal,
  ) {
    super(message);
  }
}
