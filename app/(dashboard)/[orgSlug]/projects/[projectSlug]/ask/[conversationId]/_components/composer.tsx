'use client';

import { useRouter } from 'next/navigation';
import { type AgentChoice, MessageForm, useKeptDraft } from '../../_components/message-form';
import { askTurn } from '../../actions';

interface ComposerProps {
  organizationSlug: string;
  conversationId: string;
  agents: readonly AgentChoice[];
  nextAgent: string;
  /** There is something before it that could be resumed. */
  hasPredecessor: boolean;
  /** Why nothing can be sent now. */
  heldBecause: string | null;
}

const FRESH =
  'Nothing is resumed: the agent starts a conversation of its own and reads the whole transcript, which takes more input tokens.';

/** The next message; a draft stays until it is sent. */
export function Composer(props: ComposerProps) {
  const { organizationSlug, conversationId, agents, nextAgent, hasPredecessor } = props;
  const router = useRouter();
  const [text, setText] = useKeptDraft(conversationId);
  return (
    <MessageForm
      label="Your message"
      text={text}
      onText={setText}
      agents={agents}
      agent={nextAgent}
      freshHint={hasPredecessor ? FRESH : null}
      heldBecause={props.heldBecause}
      sendLabel="Send"
      rows={2}
      onSend={async (message) => {
        const answer = await askTurn({ organizationSlug, conversationId, ...message });
        if (!answer.ok) return answer.error.message;
        setText('');
        router.refresh();
        return undefined;
      }}
    />
  );
}
