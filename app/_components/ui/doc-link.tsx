import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';

interface DocLinkProps {
  /** Below `/docs/`: `webhooks#events`. */
  to: string;
  children: ReactNode;
}

/** Leads from where a question comes up to the page that answers it. */
export function DocLink({ to, children }: DocLinkProps) {
  return (
    <Link href={`/docs/${to}`} className="link" prefetch={false}>
      {children}
    </Link>
  );
}
