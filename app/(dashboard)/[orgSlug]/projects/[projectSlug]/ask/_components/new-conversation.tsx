'use client';

import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { Button } from '@/app/_components/ui/button';
import { startConversation } from '../actions';
import { type AgentChoice, MessageForm, useKeptDraft } from './message-form';

interface NewConversationProps {
  organizationSlug: string;
  project: string;
  /** "/acme/projects/checkout/ask" */
  base: string;
  /** A chain that has ended; null for the project as a whole. */
  chain: { id: string; number: number } | null;
  agents: readonly AgentChoice[];
  examples: readonly string[];
}

/** The first message of a conversation, which leads to its page. */
export function NewConversation(props: NewConversationProps) {
  const { organizationSlug, project, base, chain, agents, examples } = props;
  const router = useRouter();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useKeptDraft(chain?.id ?? `${organizationSlug}/${project}`);

  return (
    <div className="flex flex-col gap-4">
      <MessageForm
        label={chain ? `Ask about Chain #${chain.number}` : 'Ask a question'}
        placeholder={examples[0]}
        text={text}
        onText={setText}
        agents={agents}
        agent={agents[0]?.name ?? ''}
        freshHint={
          chain
            ? `The agent starts a new conversation and reads the record of Chain #${chain.number} instead of continuing its last session.`
            : null
        }
        sendLabel="Ask"
        textRef={box}
        onSend={async (message) => {
          const about = chain ? { chain: chain.id } : {};
          const answer = await startConversation({
            organizationSlug,
            project,
            ...about,
            ...message,
          });
          if (!answer.ok) return answer.error.message;
          setText('');
          router.push(`${base}/${answer.data}`);
          return undefined;
        }}
      />
      {examples.length > 0 ? (
        <div className="flex flex-col gap-1.5">
          <p className="text-meta text-text-3">For example</p>
          <ul className="flex flex-wrap gap-2">
            {examples.map((example) => (
              <li key={example}>
                <Button
                  size="sm"
                  className="h-auto min-h-7 whitespace-normal py-1 text-left"
                  onClick={() => {
                    setText(example);
                    box.current?.focus();
                  }}
                >
                  {example}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}
