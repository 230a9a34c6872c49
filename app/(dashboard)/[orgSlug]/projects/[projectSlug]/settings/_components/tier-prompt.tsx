'use client';

import { useRef, useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/input';
import { Link } from '@/app/_components/ui/link';
import type { PromptPreview as Preview } from '@/lib/insight/project-settings';
import { unknownPlaceholders } from '@/lib/projects/prompt-placeholders';
import type { TierPolicy } from '@/lib/projects/schema';
import type { Tier } from '@/lib/protocol/spec';
import { previewPrompt } from '../actions';
import { useSetting } from './settings-context';
import { TextDifference } from './text-difference';

/** What ships for a tier: the text, and what one's own may have filled in. */
export interface ShippedPrompt {
  body: string;
  inputs: readonly string[];
}

interface TierPromptProps {
  organizationSlug: string;
  project: string;
  policy: TierPolicy;
  shipped: ShippedPrompt;
  isLocked: boolean;
  /** Null goes back to the shipped one. */
  onChange: (prompt: string | null) => void;
  error: string | undefined;
}

const MEANINGS: Record<string, string> = {
  project: 'the project’s name',
  affected: 'the affected services',
  request: 'instructions given when the chain was started; often empty',
};

export function TierPrompt(props: TierPromptProps) {
  const { organizationSlug, project, policy, shipped, isLocked, onChange } = props;
  const { label } = useSetting('tiers.prompt');
  const field = useRef<HTMLTextAreaElement>(null);
  const isOwn = policy.prompt !== null;
  const body = policy.prompt ?? shipped.body;
  const id = `tiers.${policy.tier - 1}.prompt`;
  const unknown = unknownPlaceholders(body, shipped.inputs);
  const problem =
    unknown.length > 0
      ? `There is no variable ${unknown.map((name) => `{{${name}}}`).join(', ')}. Use ${shipped.inputs.map((name) => `{{${name}}}`).join(', ')}.`
      : props.error;

  function insert(name: string) {
    const at = field.current?.selectionStart ?? body.length;
    onChange(`${body.slice(0, at)}{{${name}}}${body.slice(at)}`);
    field.current?.focus();
  }

  return (
    <Card
      title="Prompt"
      note={isOwn ? 'the project’s own' : 'default'}
      actions={
        isLocked ? null : isOwn ? (
          <ConfirmDialog
            trigger={<Button size="sm">Reset to default…</Button>}
            title={`Reset the prompt of tier ${policy.tier}`}
            look="primary"
            confirmLabel="Reset to default"
            effects={['This is what changes. It takes effect with the next save.']}
            onConfirm={async () => {
              onChange(null);
              return undefined;
            }}
          >
            <TextDifference
              label="From your prompt to the default"
              before={body.trim()}
              after={shipped.body.trim()}
            />
          </ConfirmDialog>
        ) : (
          <Button size="sm" onClick={() => onChange(shipped.body)}>
            Write your own
          </Button>
        )
      }
    >
      <Field id={id} label={label} error={problem}>
        {(control) => (
          <Textarea
            {...control}
            ref={field}
            rows={10}
            readOnly={!isOwn}
            spellCheck={isOwn}
            value={body}
            onChange={(event) => onChange(event.target.value)}
            className="font-mono text-code"
          />
        )}
      </Field>
      <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-ui">
        {shipped.inputs.map((name) => (
          <div key={name} className="contents">
            <dt>
              {isOwn && !isLocked ? (
                <Button size="sm" aria-label={`Insert {{${name}}}`} onClick={() => insert(name)}>
                  <code className="text-code">{`{{${name}}}`}</code>
                </Button>
              ) : (
                <code className="text-code">{`{{${name}}}`}</code>
              )}
            </dt>
            <dd className="text-text-2">{MEANINGS[name] ?? name}</dd>
          </div>
        ))}
      </dl>
      <PromptPreview
        // Another tier, or other words: what was shown no longer says how it starts.
        key={`${policy.tier} ${body}`}
        organizationSlug={organizationSlug}
        project={project}
        tier={policy.tier}
        body={body}
        isSound={unknown.length === 0}
      />
    </Card>
  );
}

interface PromptPreviewProps {
  organizationSlug: string;
  project: string;
  tier: Tier;
  body: string;
  /** Whether every variable is one that there is. */
  isSound: boolean;
}

/** The prompt as the agent would read it, with the values of the last cycle. */
function PromptPreview(props: PromptPreviewProps) {
  const { organizationSlug, project, tier, body, isSound } = props;
  const [shown, setShown] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, startWork] = useTransition();

  function preview() {
    startWork(async () => {
      const answer = await previewPrompt({ organizationSlug, project, tier, body });
      setProblem(answer.ok ? null : answer.error.message);
      setShown(answer.ok ? answer.data : null);
    });
  }

  return (
    <div className="mt-3 flex flex-col gap-2">
      <Button
        size="sm"
        className="self-start"
        disabled={!isSound}
        aria-disabled={isWorking || undefined}
        onClick={preview}
      >
        Preview with the last chain’s values
      </Button>
      {problem ? (
        <p role="alert" className="text-bad-fg text-ui">
          {problem}
        </p>
      ) : null}
      {shown ? (
        <section aria-label="Preview of the prompt">
          <p className="text-text-2 text-ui">
            {shown.chainNumber === null ? (
              'With examples: no session of this tier exists yet.'
            ) : (
              <>
                With the values of{' '}
                <Link
                  href={`/${organizationSlug}/projects/${project}/chains/${shown.chainNumber}`}
                  className="text-link hover:underline"
                >
                  #{shown.chainNumber}
                </Link>
                .
              </>
            )}
          </p>
          <pre className="mt-1 max-h-80 overflow-y-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2 font-mono text-code">
            {shown.text}
          </pre>
        </section>
      ) : null}
    </div>
  );
}
