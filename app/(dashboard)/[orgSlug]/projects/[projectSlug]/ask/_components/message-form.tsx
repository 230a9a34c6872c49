'use client';

import { Send } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useState, useTransition } from 'react';
import { useModKey } from '@/app/_components/keys/platform-context';
import { Button } from '@/app/_components/ui/button';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { Select, Textarea } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { MAX_MESSAGE_CHARS } from '@/lib/conversations/limits';

export interface AgentChoice {
  name: string;
  model: string;
}

interface Message {
  message: string;
  agent?: string;
  forceFresh: boolean;
}

interface MessageFormProps {
  label: string;
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  agents: readonly AgentChoice[];
  /** Chosen until the person says otherwise. */
  agent: string;
  /** What "Start fresh" would do here; null where there is nothing to resume. */
  freshHint: string | null;
  /** Why nothing can be sent now; the text may be written meanwhile. */
  heldBecause?: string | null;
  /** What sending does in addition. */
  note?: string;
  sendLabel: string;
  /** Beside the send button: Cancel, Stop. */
  actions?: ReactNode;
  textRef?: Ref<HTMLTextAreaElement>;
  rows?: number;
  /** Answers with what went wrong; undefined when it was sent. */
  onSend: (message: Message) => Promise<string | undefined>;
}

/** A message to an agent: Enter with the platform’s modifier sends it, Enter alone makes a line. */
export function MessageForm(props: MessageFormProps) {
  const { text, onText, agents, heldBecause = null, freshHint } = props;
  const id = useId();
  const sendKey = useModKey('Enter');
  const [agent, setAgent] = useState<string | null>(null);
  const [isFresh, setFresh] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const chosen = agents.find(({ name }) => name === agent)?.name ?? props.agent;

  function send() {
    if (isPending || heldBecause) return;
    if (text.trim() === '') return setProblem('Enter a message.');
    setProblem(null);
    startTransition(async () => {
      const failed = await props.onSend({
        message: text,
        ...(agents.length > 1 ? { agent: chosen } : {}),
        forceFresh: freshHint !== null && isFresh,
      });
      if (failed) setProblem(failed);
      else setFresh(false);
    });
  }

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field id={id} label={props.label} error={problem}>
        <Textarea
          ref={props.textRef}
          rows={props.rows ?? 3}
          maxLength={MAX_MESSAGE_CHARS}
          placeholder={props.placeholder}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            send();
          }}
        />
      </Field>
      {(heldBecause ?? props.note) ? (
        <p className="text-text-2 text-ui">{heldBecause ?? props.note}</p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {agents.length > 1 ? (
          <label htmlFor={`${id}-agent`} className="inline-flex items-center gap-2 text-ui">
            <span className="text-text-2">Agent</span>
            <Select
              id={`${id}-agent`}
              value={chosen}
              onChange={(event) => setAgent(event.target.value)}
              className="w-auto"
            >
              {agents.map(({ name, model }) => (
                <option key={name} value={name}>
                  {name === model ? name : `${name} (${model})`}
                </option>
              ))}
            </Select>
          </label>
        ) : null}
        {freshHint === null ? null : (
          <CheckboxField
            label="Start fresh"
            hint={isFresh ? freshHint : undefined}
            checked={isFresh}
            onChange={(event) => setFresh(event.target.checked)}
          />
        )}
        <div className="ml-auto flex items-center gap-2">
          {props.actions}
          <Button
            look="primary"
            type="submit"
            title={sendKey}
            aria-disabled={isPending || heldBecause !== null || undefined}
          >
            {isPending ? <Spinner /> : <Send aria-hidden />}
            {props.sendLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}

/**
 * A text that outlives the page: another page, a reload, a sign-in that ended. It ends with the
 * tab, since what operators paste may hold more than a shared machine should keep.
 */
export function useKeptDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState('');
  const name = `ask-draft:${key}`;

  useEffect(() => {
    const kept = sessionStorage.getItem(name);
    // What was typed before the page came alive is newer.
    if (kept) setText((typed) => (typed === '' ? kept : typed));
  }, [name]);

  function change(next: string) {
    setText(next);
    if (next === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
  }

  return [text, change];
}
