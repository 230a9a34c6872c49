import { Fragment } from 'react';
import { Link } from '@/app/_components/ui/link';
import type { SessionPage } from '@/lib/insight/sessions/schema';

interface AskNumbersProps {
  numbers: SessionPage['askNumbers'];
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
}

/** Says why numbers are missing in the list: questions in Ask are sessions, too. */
export function AskNumbers({ numbers, root }: AskNumbersProps) {
  if (numbers.length === 0) return null;
  return (
    <p className="px-1 pt-2 text-meta text-text-3">
      {numbers.length === 1 ? 'A question' : 'Questions'} in{' '}
      <Link href={`${root}/ask`} className="link">
        Ask
      </Link>{' '}
      took{' '}
      {numbers.map(({ number, conversationId }, index) => (
        <Fragment key={number}>
          {index > 0 ? ', ' : ''}
          {conversationId ? (
            <Link href={`${root}/ask/${conversationId}`} className="link">
              Session #{number}
            </Link>
          ) : (
            `Session #${number}`
          )}
        </Fragment>
      ))}
      {numbers.length === 1 ? ', so it isn’t' : ', so they aren’t'} in this list.
    </p>
  );
}
