'use client';

import { CirclePause, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { ResumeButton } from '@/app/(dashboard)/[orgSlug]/_components/resume-button';
import { formatCounted } from '@/lib/platform/format/count';
import { NeedsRole } from '../../../../_components/needs-role';
import { PauseDialog, type PauseTarget } from '../../../../_components/pause-dialog';
import type { Refusal } from '../../../../_components/permission';
import { deleteProject } from '../actions';

interface DangerSectionProps extends Omit<PauseTarget, 'what'> {
  project: string;
  isPaused: boolean;
  counts: { chains: number; versions: number };
  pauseRefusal: Refusal;
  deleteRefusal: Refusal;
}

export function DangerSection(props: DangerSectionProps) {
  const { isPaused, counts, pauseRefusal, deleteRefusal, ...target } = props;
  const { organizationSlug, project, name, liveChain } = target;
  const what = { kind: 'project', project } as const;
  const [isPausing, setPausing] = useState(false);
  return (
    <>
      <Card
        title="Pause"
        actions={
          <NeedsRole refusal={pauseRefusal} label={isPaused ? 'Resume' : `Pause ${name}`}>
            {isPaused ? (
              <ResumeButton organizationSlug={organizationSlug} what={what} isAllowed />
            ) : (
              <Button onClick={() => setPausing(true)} icon={CirclePause}>
                Pause {name}
              </Button>
            )}
          </NeedsRole>
        }
      >
        <p className="max-w-prose text-text-2">
          No chain starts while it is paused, scheduled or manual. Settings and history stay.
        </p>
      </Card>
      <Card
        title="Delete"
        actions={
          <NeedsRole refusal={deleteRefusal} label={`Delete ${name}`} look="danger">
            <ConfirmDialog
              trigger={
                <Button look="danger" icon={Trash2}>
                  Delete {name}
                </Button>
              }
              title={`Delete ${name}`}
              confirmLabel={`Delete ${name}`}
              typeToConfirm={project}
              effects={[
                `${formatCounted(counts.chains, 'chain')} with their sessions, logs and reports are deleted.`,
                `${formatCounted(counts.versions, 'version')} of its settings and its own webhook endpoints are deleted, too.`,
                'Its daily costs stay in the organization’s spend, and its audit entries are kept.',
                'This cannot be undone.',
                ...(liveChain
                  ? [`Chain #${liveChain.number} is still running. Stop it first.`]
                  : []),
              ]}
              onConfirm={() => deleteProject({ organizationSlug, project })}
            />
          </NeedsRole>
        }
      >
        <p className="max-w-prose text-text-2">
          Deletes the project and all its findings. Its costs are kept.
        </p>
      </Card>
      <PauseDialog {...target} what={what} open={isPausing} onOpenChange={setPausing} />
    </>
  );
}
