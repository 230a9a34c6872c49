'use client';

import { BookOpen } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Button } from '@/app/_components/ui/button';

const ProgramCatalog = dynamic(
  async () => (await loadPart(() => import('./program-catalog'))).ProgramCatalog,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

interface ProgramButtonProps {
  /** What the rules are for: `allowed rules`. */
  list: string;
  onUse: (rule: string) => void;
}

/** Opens the catalog of programs, which is loaded then. */
export function ProgramButton({ list, onUse }: ProgramButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <>
      <Button
        aria-label={`Programs for ${list}`}
        onClick={() => {
          setWasOpen(true);
          setOpen(true);
        }}
      >
        <BookOpen aria-hidden /> <span className="max-md:hidden">Programs</span>
      </Button>
      {wasOpen ? (
        <ProgramCatalog
          open={isOpen}
          onOpenChange={setOpen}
          onUse={(rule) => {
            onUse(rule);
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}
