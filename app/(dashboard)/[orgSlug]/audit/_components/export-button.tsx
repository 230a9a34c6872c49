'use client';

import { Download } from 'lucide-react';
import { type MouseEvent, useTransition } from 'react';
import { toast } from 'sonner';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { prepareExport } from '../actions';

interface ExportButtonProps {
  organizationSlug: string;
  href: string;
  label: string;
}

/** A download, which needs a recent confirmation: it is asked for first. */
export function ExportButton({ organizationSlug, href, label }: ExportButtonProps) {
  const proof = useProof();
  const [isPending, startTransition] = useTransition();

  function download(event: MouseEvent) {
    event.preventDefault();
    if (isPending) return;
    startTransition(async () => {
      const answer = await proof.run(() => prepareExport({ organizationSlug }));
      if (answer.ok) window.location.assign(href);
      else if (answer.error.code !== 'proof_required') toast.error(answer.error.message);
    });
  }

  return (
    <>
      <Button asChild>
        <a href={href} download aria-label={`Export as ${label}`} onClick={download}>
          <Download aria-hidden /> {label}
        </a>
      </Button>
      {proof.dialog}
    </>
  );
}
