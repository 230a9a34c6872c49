import type { ReactNode } from 'react';
import { Wordmark } from './_components/wordmark';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-100 flex-col gap-8 px-4 pt-[16dvh] pb-12 max-md:pt-12">
      <header>
        <Wordmark />
      </header>
      <main className="flex flex-col gap-6">{children}</main>
    </div>
  );
}
