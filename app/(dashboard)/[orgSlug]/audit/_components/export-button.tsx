'use client';

import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useTransition } from 'react';
import { toast } from 'sonner';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { prepareExport } from '../actions';

interface ExportButtonProps {
  organizationSlug: string;
  href: string;
  label: string;
  /** Starts the download at once, for someone who was redirected from the file’s link. */
  isWanted: boolean;
}

/** A download, which needs a recent confirmation: it is asked for first. */
export function ExportButton({ organizationSlug, href, label, isWanted }: ExportButtonProps) {
  const proof = useProof();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function download() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await proof.run(() => prepareExport({ organizationSlug }));
      if (answer.ok) window.location.assign(href);
      else if (answer.error.code !== 'proof_required') toast.error(answer.error.message);
    });
  }

  const startWanted = useEffectEvent(() => {
    // Once, so that a reload doesn't download again.
    const address = new URL(window.location.href);
    address.searchParams.delete('export');
    router.replace(`${address.pathname}${address.search}`, { scroll: false });
    download();
  });
  useEffect(() => {
    if (isWanted) startWanted();
  }, [isWanted]);

  return (
    <>
      <Button asChild>
        <a
          href={href}
          aria-label={`Export as ${label}`}
          onClick={(event) => {
            event.preventDefault();
            download();
          }}
        >
          <Download aria-hidden /> {label}
        </a>
      </Button>
      {proof.dialog}
    </>
  );
}
