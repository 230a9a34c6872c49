'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';
import { visibleProps } from '@/app/_jsx/visible-props';

/** A pointer that only passes over a link leaves it sooner, in milliseconds. */
const INTENT_MS = 80;

type LinkProps = Omit<ComponentProps<typeof NextLink>, 'onMouseEnter' | 'onMouseLeave'>;

/** A link in a text. */
export function TextLink(props: LinkProps) {
  return <Link {...props} className="link" />;
}

/**
 * Links to a page of ours, and prefetches it once a pointer rests on the link. Next.js on its own
 * requests the page of every visible link at each view, and again at each refresh: 20 to 50 requests
 * beside the one that was asked for.
 *
 * @param props as of Next.js' `Link`; `prefetch={false}` never prefetches
 */
export function Link({ prefetch, ...props }: LinkProps) {
  const [isIntended, setIntended] = useState(false);
  return (
    <NextLink
      // Next draws the `a`, with its title.
      {...visibleProps('a', props)}
      prefetch={isIntended ? prefetch : false}
      onMouseEnter={({ currentTarget }) => {
        setTimeout(() => setIntended(currentTarget.matches(':hover')), INTENT_MS);
      }}
      onMouseLeave={() => setIntended(false)}
    />
  );
}
