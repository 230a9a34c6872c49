'use client';

import { Download, FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/input';
import { formatCounted } from '@/lib/platform/format/count';
import type { FileComparison } from '@/lib/projects/file';
import { NeedsRole } from '../../../../_components/needs-role';
import type { Refusal } from '../../../../_components/permission';
import { applyFile, compareFile } from '../actions';
import { DifferenceList } from './difference-list';
import { ALL_TAKES_EFFECT, changesDecisions } from './draft';
import { ReviewDialog } from './review-dialog';

interface FileSectionProps {
  organizationSlug: string;
  project: string;
  refusal: Refusal;
}

/** Download the settings as YAML; upload a file, look at what it would change, apply it. */
export function FileSection({ organizationSlug, project, refusal }: FileSectionProps) {
  const router = useRouter();
  const [text, setText] = useState('');
  const [compared, setCompared] = useState<FileComparison | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReviewing, setReviewing] = useState(false);
  const [isWorking, startWork] = useTransition();
  const target = { organizationSlug, project };

  function edit(next: string) {
    setText(next);
    setCompared(null);
    setProblem(null);
  }

  function compare(yaml = text) {
    startWork(async () => {
      const answer = await compareFile({ ...target, text: yaml });
      setProblem(answer.ok ? null : answer.error.message);
      setCompared(answer.ok ? answer.data : null);
    });
  }

  /** What may decide commands differently is reviewed before it is saved. */
  function save({ version, changes }: FileComparison) {
    if (isWorking) return;
    const isSeen = isReviewing || !changesDecisions(changes);
    setReviewing(!isSeen);
    if (isSeen) apply(version);
  }

  function apply(baseVersion: number) {
    startWork(async () => {
      const answer = await applyFile({ ...target, text, baseVersion });
      if (!answer.ok) {
        setProblem(answer.error.message);
        setCompared(null);
        return;
      }
      toast.success(`Saved as v${answer.data.version}. It ${ALL_TAKES_EFFECT}.`);
      for (const warning of answer.data.warnings) toast.warning(warning);
      edit('');
      router.replace(`/${organizationSlug}/projects/${answer.data.slug}/settings/versions`);
    });
  }

  const saveButton = (file: FileComparison) => (
    <Button look="primary" aria-disabled={isWorking || undefined} onClick={() => save(file)}>
      Save as v{file.version + 1}
    </Button>
  );

  return (
    <>
      <Card
        title="Export"
        actions={
          <Button asChild>
            <a href={`/${organizationSlug}/projects/${project}/project.yaml`} download>
              <Download aria-hidden /> Download {project}.yaml
            </a>
          </Button>
        }
      >
        <p className="max-w-prose text-text-2">
          The current settings as YAML, with comments that explain units. Secrets are listed by name
          only. <code className="text-code">tierwatch project diff</code> and{' '}
          <code className="text-code">project apply</code> take the same file.
        </p>
      </Card>
      <Card title="Import">
        <div className="flex flex-col gap-4">
          <Field
            id="file-text"
            label="YAML"
            hint="Choose a file, or paste its text. Omitted fields keep their values. You see the changes before anything is saved."
            error={problem ?? undefined}
          >
            <Textarea
              rows={12}
              spellCheck={false}
              value={text}
              onChange={(event) => edit(event.target.value)}
              className="font-mono text-code"
            />
          </Field>
          <div className="flex flex-wrap items-center gap-2">
            <Button asChild>
              <label htmlFor="file-choice" className="cursor-pointer focus-within:outline-2">
                <FileUp aria-hidden /> Choose a file
                <input
                  id="file-choice"
                  type="file"
                  accept=".yaml,.yml,.json"
                  className="sr-only"
                  onChange={async (event) => {
                    const [file] = event.target.files ?? [];
                    event.target.value = '';
                    if (!file) return;
                    const yaml = await file.text();
                    edit(yaml);
                    compare(yaml);
                  }}
                />
              </label>
            </Button>
            <Button
              look={compared ? 'secondary' : 'primary'}
              disabled={text.trim() === ''}
              aria-disabled={isWorking || undefined}
              onClick={() => compare()}
            >
              Preview changes
            </Button>
          </div>
          {compared ? (
            <FileOutcome compared={compared}>
              <NeedsRole
                refusal={refusal}
                label={`Save as v${compared.version + 1}`}
                look="primary"
              >
                {saveButton(compared)}
              </NeedsRole>
              <ReviewDialog
                {...target}
                open={isReviewing}
                onOpenChange={setReviewing}
                baseVersion={compared.version}
                next={{ text }}
                changes={compared.changes}
                footer={
                  <>
                    <Button onClick={() => setReviewing(false)}>Cancel</Button>
                    {saveButton(compared)}
                  </>
                }
              />
            </FileOutcome>
          ) : null}
        </div>
      </Card>
    </>
  );
}

interface FileOutcomeProps {
  compared: FileComparison;
  /** What saves it; shown where there is something to save. */
  children: ReactNode;
}

/** The errors of a file by line, or its changes to the current version. */
function FileOutcome({ compared, children }: FileOutcomeProps) {
  const { problems, changes, ignored, version } = compared;
  if (problems.length > 0) {
    return (
      <div role="alert" className="border-bad-mark border-l-2 pl-3">
        <p className="font-medium">
          {formatCounted(problems.length, 'problem')} in the file. Nothing was saved.
        </p>
        <ul className="mt-1 flex flex-col gap-1 text-ui">
          {problems.map(({ line, path, message }) => (
            <li key={`${line} ${path} ${message}`} className="break-words">
              {line === null ? null : <span className="tabular-nums">Line {line}</span>}
              {path ? <code className="ml-2 text-code text-text-2">{path}</code> : null}{' '}
              <span className="text-bad-fg">{message}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  }
  if (changes.length === 0) {
    return (
      <p role="status">
        The file matches v{version} already. There is nothing to save. {ignored}
      </p>
    );
  }
  return (
    <section aria-label="Changes in the file" className="flex flex-col gap-3">
      <p role="status">
        {ignored} {formatCounted(changes.length, 'change')} to v{version}:
      </p>
      <DifferenceList changes={changes} />
      <span>{children}</span>
    </section>
  );
}
