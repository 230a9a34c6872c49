'use client';

import { Ban, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { revokePingCheck, rotatePingCheck } from '../actions';

interface PingUrlProps {
  organizationSlug: string;
  project: string;
  heartbeatId: string;
  name: string;
  /** Until when the URL before the current one is accepted; null if it isn’t. */
  previousUntil: ReactNode | null;
}

/** Changes the URL of a heartbeat. Each change asks first, since a job may use what it ends. */
export function PingUrl({ name, previousUntil, ...reference }: PingUrlProps) {
  const revokeLabel = previousUntil === null ? 'Revoke now' : 'Revoke both now';
  return (
    <div className="flex flex-col items-start gap-3">
      {previousUntil === null ? null : (
        <p className="max-w-prose text-text-2">
          The previous URL is accepted until {previousUntil}. Until then, or until you revoke it, no
          other URL can be created: a job that still uses it would be cut off.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {previousUntil === null ? (
          <ConfirmDialog
            trigger={
              <Button size="sm" icon={KeyRound}>
                New URL
              </Button>
            }
            title={`Create a new URL for ${name}`}
            look="primary"
            confirmLabel="Create new URL"
            effects={[
              'The page shows the new URL. Put it into the job.',
              'The current URL is accepted for another 24 hours. Until it ends, or you revoke it, you can’t create another one.',
            ]}
            onConfirm={() => rotatePingCheck(reference)}
            done={`New URL for ${name} created.`}
          />
        ) : (
          <ConfirmDialog
            trigger={
              <Button size="sm" icon={Ban}>
                Revoke previous URL
              </Button>
            }
            title={`Revoke the previous URL of ${name}`}
            look="danger"
            confirmLabel="Revoke previous URL"
            effects={[
              'Pings of the previous URL are refused from now on.',
              'The current URL stays.',
            ]}
            onConfirm={() => revokePingCheck({ ...reference, url: 'previous' })}
            done={`Previous URL of ${name} revoked.`}
          />
        )}
        <ConfirmDialog
          trigger={
            <Button size="sm" look="danger" icon={Ban}>
              {revokeLabel}
            </Button>
          }
          title={`Revoke every URL of ${name} now`}
          look="danger"
          confirmLabel={revokeLabel}
          effects={[
            'Pings of every URL so far are refused from now on, also those of the job.',
            'The page shows a new URL. Put it into the job before its next deadline.',
          ]}
          onConfirm={() => revokePingCheck({ ...reference, url: 'all' })}
          done={`URL of ${name} revoked. The job needs the new one.`}
        />
      </div>
    </div>
  );
}
