import type { ReactNode } from 'react';
import { TextLink } from '@/app/_components/ui/link';

interface DocLinkProps {
  /** Below `/docs/`: `webhooks#events`. */
  to: string;
  children: ReactNode;
}

/** Leads from where a question comes up to the page that answers it. */
export function DocLink({ to, children }: DocLinkProps) {
  return (
    <TextLink href={`/docs/${to}`} prefetch={false}>
      {children}
    </TextLink>
  );
}
