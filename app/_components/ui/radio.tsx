'use client';

import type { ComponentProps } from 'react';
import { useEarlyInput } from './use-early-input';

/** A native radio button. Give it a label around it. */
export function Radio({ ref, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input type="radio" {...rest} ref={useEarlyInput(ref)} />;
}
