'use client';

import type { ErrorPageProps } from '@/app/_components/shell/error-message';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { FailedState } from '@/app/_components/ui/failed-state';

/** Replaces the page; the frame around it keeps working. */
export default function DashboardError({ error, retry }: ErrorPageProps) {
  return (
    <PageBody>
      <PageHeader title="This page couldn’t be loaded" />
      <div className="rounded-card border border-line bg-surface">
        <FailedState
          title="Couldn’t load this page."
          reason="Something went wrong on our side, and nothing was changed. Try again; if it stays, send us the request’s id."
          requestId={digestOf(error)}
          action={<Button onClick={() => retry()}>Try again</Button>}
        />
      </div>
    </PageBody>
  );
}

function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null;
  return typeof error.digest === 'string' ? error.digest : null;
}
