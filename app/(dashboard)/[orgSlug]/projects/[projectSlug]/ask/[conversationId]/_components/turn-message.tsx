'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { SafeText } from '@/app/_components/ui/safe-text';
import { type AgentChoice, MessageForm } from '../../_components/message-form';
import { editTurn } from '../../actions';
import { goneWords, TurnActs, type TurnPlace } from './turn-acts';

interface TurnMessageProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; author: string; agent: string; message: string; createdAt: string };
  place: TurnPlace;
  agents: readonly AgentChoice[];
  /** False for people who only read, and for a turn that left the history. */
  isOpenToActs: boolean;
}

/** What a person wrote, and what can be done with it now. */
export function TurnMessage(props: TurnMessageProps) {
  const { organizationSlug, conversationId, turn, place, agents, isOpenToActs } = props;
  const router = useRouter();
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <div className="rounded-card bg-sunken px-3 py-2.5">
      <div className="flex min-h-7 items-center gap-2 text-meta text-text-2">
        <a href={`#turn-${place.position}`} className="tabular-nums hover:underline">
          Turn {place.position}
        </a>
        <span className="text-text-3">
          {turn.author} · <Time at={turn.createdAt} />
        </span>
        {isOpenToActs && draft === null ? (
          <span className="ml-auto">
            <TurnActs
              organizationSlug={organizationSlug}
              conversationId={conversationId}
              turn={turn}
              place={place}
              agents={agents}
              onEdit={() => setDraft(turn.message)}
            />
          </span>
        ) : null}
      </div>
      {draft === null ? (
        <p className="max-w-prose whitespace-pre-wrap text-body [overflow-wrap:anywhere]">
          <SafeText text={turn.message} />
        </p>
      ) : (
        <MessageForm
          label={`Edit turn ${place.position}`}
          text={draft}
          onText={setDraft}
          agents={agents}
          agent={turn.agent}
          freshHint={null}
          note={`${goneWords(place)} will be replaced by this.`}
          sendLabel="Send again"
          actions={
            <Button look="quiet" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          }
          onSend={async (message) => {
            const sent = { organizationSlug, conversationId, turnId: turn.id, ...message };
            const answer = await editTurn(sent);
            if (!answer.ok) return answer.error.message;
            setDraft(null);
            router.refresh();
            return undefined;
          }}
        />
      )}
    </div>
  );
}
