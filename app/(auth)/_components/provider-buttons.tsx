'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import type { ProviderButton } from '@/lib/identity/auth/providers';

interface ProviderButtonsProps {
  providers: readonly ProviderButton[];
  next: string;
}

/** One button for each configured provider, below the form. */
export function ProviderButtons({ providers, next }: ProviderButtonsProps) {
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  if (providers.length === 0) return null;

  async function leaveFor(id: string) {
    setLeavingTo(id);
    const { signIn } = await import('next-auth/react');
    await signIn(id, { callbackUrl: next || '/' });
  }

  return (
    <div className="flex flex-col gap-2 border-line border-t pt-6">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          className="w-full"
          aria-disabled={leavingTo !== null || undefined}
          onClick={() => (leavingTo === null ? leaveFor(id) : undefined)}
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
