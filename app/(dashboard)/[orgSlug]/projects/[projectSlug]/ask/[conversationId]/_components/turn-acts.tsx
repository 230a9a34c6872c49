'use client';

import { CircleStop, Ellipsis, Pencil, RotateCcw, Scissors } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import type { AgentChoice } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/ask/_components/message-form';
import {
  cutTurn,
  retryTurn,
  stopTurn,
} from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/ask/actions';

interface TurnActsProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; agent: string };
  place: TurnPlace;
  agents: readonly AgentChoice[];
  onEdit: () => void;
}

type Asked = { act: 'cut' } | { act: 'retry'; agent: string };

/** Edit, ask again, take out: each takes what followed out of the history, so two of them ask first. */
export function TurnActs(props: TurnActsProps) {
  const { organizationSlug, conversationId, turn, place, agents, onEdit } = props;
  const { position } = place;
  const [asked, setAsked] = useState<Asked | null>(null);
  const others = agents.filter(({ name }) => name !== turn.agent);
  const target = { organizationSlug, conversationId, turnId: turn.id };

  const obey = () =>
    asked?.act === 'retry' ? retryTurn({ ...target, agent: asked.agent }) : cutTurn(target);

  const isKnown = agents.some(({ name }) => name === turn.agent);
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="icon-sm" aria-label={`Acts on turn ${position}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={onEdit} icon={Pencil}>
          Edit and send again
        </MenuItem>
        {isKnown ? (
          <MenuItem onSelect={() => setAsked({ act: 'retry', agent: turn.agent })} icon={RotateCcw}>
            Ask again
          </MenuItem>
        ) : null}
        {others.map(({ name }) => (
          <MenuItem
            key={name}
            onSelect={() => setAsked({ act: 'retry', agent: name })}
            icon={RotateCcw}
          >
            Ask {name} instead
          </MenuItem>
        ))}
        <MenuItem look="danger" onSelect={() => setAsked({ act: 'cut' })} icon={Scissors}>
          Take out from here
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asked?.act === 'cut'}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={`Take out turn ${position}`}
        confirmLabel={`Take out turn ${position}`}
        effects={goneEffects(place)}
        onConfirm={obey}
      />
      <ConfirmDialog
        open={asked?.act === 'retry'}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={`Ask turn ${position} again`}
        confirmLabel={`Ask turn ${position} again`}
        look="primary"
        effects={[
          'The same message is sent in a fresh conversation, so the earlier answer doesn’t influence the new one.',
          ...goneEffects(place),
        ]}
        onConfirm={obey}
      />
    </>
  );
}

interface StopTurnProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; position: number };
}

export function StopTurn({ organizationSlug, conversationId, turn }: StopTurnProps) {
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" icon={CircleStop}>
          Stop
        </Button>
      }
      title={`Stop turn ${turn.position}`}
      confirmLabel={`Stop turn ${turn.position}`}
      effects={[
        'Stops the agent and everything it started within 10 s.',
        'What it has cost is kept. Your message stays, without an answer.',
      ]}
      onConfirm={() => stopTurn({ organizationSlug, conversationId, turnId: turn.id })}
    />
  );
}

interface AskAgainProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; agent: string };
}

/** Retries a last turn that has no answer. Nothing is lost by it, so it needs no confirmation. */
export function AskAgain({ organizationSlug, conversationId, turn }: AskAgainProps) {
  const { act, isPending } = useAct();
  const target = { organizationSlug, conversationId, turnId: turn.id };
  const retry = () => act(() => retryTurn({ ...target, agent: turn.agent }));

  return (
    <PendingButton size="sm" isPending={isPending} onClick={retry} icon={RotateCcw}>
      Ask again
    </PendingButton>
  );
}

/** What taking a turn out of the history does, for the dialogs that ask first. */
export interface TurnPlace {
  position: number;
  /** How many turns follow it in the history. */
  laterTurns: number;
  /** It, or one after it, waits or runs. */
  isMoving: boolean;
}

/** "Turn 3 and the 2 after it" */
export function goneWords({ position, laterTurns }: Omit<TurnPlace, 'isMoving'>): string {
  if (laterTurns === 0) return `Turn ${position}`;
  return `Turn ${position} and the ${laterTurns === 1 ? 'one' : laterTurns} after it`;
}

export function goneEffects(place: TurnPlace): string[] {
  const leaves = place.laterTurns === 0 ? 'leaves' : 'leave';
  return [
    `${goneWords(place)} ${leaves} the history: no agent reads ${place.laterTurns === 0 ? 'it' : 'them'} again.`,
    ...(place.isMoving ? ['A process that is still running is stopped within 10 s.'] : []),
    'What was spent and what the agent did stay on record.',
  ];
}
