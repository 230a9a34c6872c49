'use client';

import { useRouter } from 'next/navigation';
import { Component, type ReactNode, startTransition } from 'react';
import { Button } from './button';
import { FailedState } from './failed-state';

interface PartBoundaryProps {
  /** "Couldn’t load the plots." */
  title: string;
  children: ReactNode;
}

/** Replaces the part that failed; the rest of the page keeps working. */
export function PartBoundary({ title, children }: PartBoundaryProps) {
  const router = useRouter();
  return (
    <Boundary title={title} retry={() => startTransition(() => router.refresh())}>
      {children}
    </Boundary>
  );
}

interface BoundaryProps extends PartBoundaryProps {
  retry: () => void;
}

interface BoundaryState {
  /** Null while all is well; the request's id where it is known. */
  failed: { requestId: string | null } | null;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    const digest = typeof error === 'object' && error !== null && 'digest' in error;
    return { failed: { requestId: digest ? String(error.digest) : null } };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="rounded-card border border-line bg-surface">
        <FailedState
          title={this.props.title}
          reason="The rest of this page is not affected, and nothing was changed."
          requestId={this.state.failed.requestId}
          action={
            <Button
              onClick={() => {
                this.props.retry();
                this.setState({ failed: null });
              }}
            >
              Try again
            </Button>
          }
        />
      </div>
    );
  }
}
