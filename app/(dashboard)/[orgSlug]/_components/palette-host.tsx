'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ShellKeys } from '@/app/_components/keys/shell-keys';
import type { PaletteAct } from '@/app/_components/palette/entry';
import { loadPart } from '@/app/_components/reach/load-part';
import { usePalette } from '@/app/_components/shell/palette-context';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { runningChainOf } from '../projects/[projectSlug]/_components/running-chain';
import { runNow } from '../projects/[projectSlug]/actions';

const Palette = dynamic(
  async () => (await loadPart(() => import('@/app/_components/palette/palette'))).Palette,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

/** The palette, loaded when it is first opened, and what its entries do. */
export function PaletteHost({ data }: { data: ShellData }) {
  const { isOpen } = usePalette();
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [isListOpen, setListOpen] = useState(false);
  const { change } = usePreferences();
  const router = useRouter();
  const organizationSlug = data.organization.slug;
  if (isOpen && !wasOpen) setWasOpen(true);

  async function run(project: string, dryRun: boolean) {
    const answer = await runNow({ organizationSlug, project, dryRun });
    const open = (number: number) =>
      router.push(`/${organizationSlug}/projects/${project}/chains/${number}`);
    if (answer.ok) return open(answer.data.number);
    const running = runningChainOf(answer.error);
    toast.error(
      answer.error.message,
      running === null
        ? undefined
        : { action: { label: `Open Chain #${running}`, onClick: () => open(running) } },
    );
  }

  async function find(id: string) {
    try {
      const { findById } = await import('@/app/_components/palette/find-by-id');
      const href = await findById(organizationSlug, id);
      if (href) router.push(href);
      else toast.error(`${data.organization.name} has nothing by the id ${id}.`);
    } catch {
      toast.error('The server didn’t answer. Try again in a moment.');
    }
  }

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success('Link copied.');
    } catch {
      toast.error('The browser does not let this page copy. Copy it from the address bar.');
    }
  }

  function obey(act: PaletteAct) {
    switch (act.kind) {
      case 'go':
        return router.push(act.href);
      case 'find':
        return void find(act.id);
      case 'run':
        return void run(act.project, act.isDryRun);
      case 'copy-link':
        return void copyLink();
      case 'prefer':
        return change(act.change);
      case 'keys':
        return setListOpen(true);
    }
  }

  return (
    <>
      {wasOpen ? <Palette data={data} onAct={obey} /> : null}
      <ShellKeys isListOpen={isListOpen} setListOpen={setListOpen} />
    </>
  );
}
