'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { AgentInfo } from '@/lib/agents/registry';
import { Enrolment, type KnownRunner } from './enrolment';

interface AddRunnerProps {
  organizationSlug: string;
  pools: readonly string[];
  runners: readonly KnownRunner[];
  agents: readonly Pick<AgentInfo, 'uses'>[];
  look?: ButtonProps['look'];
}

/** From pool and tiers to one command; turns to "Connected" while it is open. */
export function AddRunner({ look = 'primary', ...rest }: AddRunnerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Add runner"
      description="A runner is a small process on your host that starts the agent. It only makes outgoing connections."
      trigger={
        <Button look={look}>
          <Plus aria-hidden /> Add runner
        </Button>
      }
    >
      <Enrolment {...rest} onDone={() => setOpen(false)} />
    </Dialog>
  );
}
