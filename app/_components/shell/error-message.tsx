'use client';

import { Button } from '../ui/button';
import { MessagePage } from './message-page';

export interface ErrorPageProps {
  error: unknown;
  retry: () => void;
}

/** The page of an error nobody expected. Its message stays in the log, under this id. */
export function ErrorMessage({ error, retry }: ErrorPageProps) {
  return (
    <MessagePage
      title="Something went wrong on our side"
      requestId={digestOf(error)}
      action={
        <Button look="primary" onClick={() => retry()}>
          Try again
        </Button>
      }
    >
      The page couldn’t be built. Try again; if it stays, send us the request’s id.
    </MessagePage>
  );
}

function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null;
  return typeof error.digest === 'string' ? error.digest : null;
}
