import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { CopyId } from '@/app/_components/ui/copy-button';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { agentLabel } from '@/lib/agents/registry';
import type { AttemptDto } from '@/lib/insight/sessions/schema';
import type { ConfinementState } from '@/lib/protocol/confinement';
import { loadSession, type SessionParams } from '../_components/load-session';
import { sealWords } from '../_components/session-words';
import { StartedCommand } from '../_components/started-command';

export default async function CommandPage({ params }: { params: Promise<SessionParams> }) {
  const { session } = await loadSession(params);
  const claimed = session.attempts.filter((attempt) => attempt.prompt !== null);
  if (claimed.length === 0) {
    return (
      <EmptyState isCard title="Nothing has started yet.">
        Command and prompt are created when a runner claims the session.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-8">
      {claimed.toReversed().map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} version={session.version} />
      ))}
    </div>
  );
}

interface AttemptProps {
  attempt: AttemptDto;
  /** Of the project's configuration. */
  version: number;
}

function Attempt({ attempt, version }: AttemptProps) {
  const { argv, command, prompt, systemPrompt } = attempt;
  const state = (attempt.exit?.kind ?? attempt.status) as StateOf<'attempt'>;
  return (
    <section aria-label={`Attempt ${attempt.number}`} className="flex flex-col gap-4">
      <h2 className="flex flex-wrap items-center gap-3 text-section tabular-nums">
        Attempt {attempt.number}
        <StatusBadge kind="attempt" state={state} />
        {attempt.startedAt ? (
          <Time at={attempt.startedAt} className="font-normal text-text-2 text-ui" />
        ) : null}
      </h2>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Command" note="exactly as started" level={3}>
            {argv ? (
              <StartedCommand argv={argv} />
            ) : (
              <p className="text-text-2 text-ui">The runner has not started the process yet.</p>
            )}
          </Card>
          <Card title="Prompt" note="by stdin" level={3}>
            <Text label="prompt" text={prompt} />
          </Card>
          <Card title="System prompt" note="appended, by file" level={3}>
            <Text label="system prompt" text={systemPrompt} />
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Where" level={3}>
            <DefinitionList items={placeOf(attempt, version)} />
            {command ? (
              <div className="mt-3">
                <ValueList
                  values={[
                    ['Work folder', command.workDir],
                    ['Config folder', command.configDir],
                  ]}
                />
              </div>
            ) : null}
          </Card>
          <Card title="Tools" level={3}>
            <Names title="Offered" names={attempt.tools} empty="None." />
            <Names
              title="Allowed rules"
              names={attempt.allowedTools}
              empty="None: no call needs one."
            />
            <Names title="Always denied" names={attempt.disallowedTools} empty="None." />
          </Card>
          <Card title="Environment" note={command ? Object.keys(command.env).length : 0} level={3}>
            {command ? (
              <ValueList
                values={Object.entries(command.env).toSorted(([one], [other]) =>
                  one.localeCompare(other),
                )}
              />
            ) : (
              <p className="text-text-2 text-ui">Reported by the runner at the start.</p>
            )}
          </Card>
        </div>
      </div>
    </section>
  );
}

function placeOf(attempt: AttemptDto, version: number) {
  const { runner, cliVersion, cliSessionId, parentCliSessionId, seal, command } = attempt;
  return [
    { term: 'Runner', value: runner?.name ?? '—' },
    { term: 'Agent', value: attempt.harness ? agentLabel(attempt.harness) : '—' },
    { term: 'CLI version', value: cliVersion ?? '—' },
    { term: 'Isolation', value: command ? <IsolationState state={command.confinement} /> : '—' },
    { term: 'Configuration', value: `v${version}` },
    {
      term: 'Conversation',
      value: cliSessionId ? <CopyId id={cliSessionId} label="CLI session id" /> : '—',
    },
    ...(parentCliSessionId
      ? [
          {
            term: 'Continues',
            value: <CopyId id={parentCliSessionId} label="CLI session id it continues" />,
          },
        ]
      : []),
    { term: 'Sealed copy', value: sealWords(seal) },
    ...(seal?.keptUntil ? [{ term: 'Kept until', value: <Time at={seal.keptUntil} /> }] : []),
  ];
}

const ISOLATION: Record<ConfinementState, string> = {
  confined: 'In a sandbox',
  process_list_visible: 'In a sandbox; command lines of the host can be seen',
  none: 'Not confined: it had the rights of the runner’s account',
};

function IsolationState({ state }: { state: ConfinementState }) {
  return (
    <span className={state === 'confined' ? undefined : 'text-wait-fg'}>{ISOLATION[state]}</span>
  );
}

function Text({ label, text }: { label: string; text: string | null }) {
  if (!text) return <p className="text-text-2 text-ui">Empty.</p>;
  return (
    <CodeBlock label={label} value={text}>
      {text}
    </CodeBlock>
  );
}

interface NamesProps {
  title: string;
  names: readonly string[];
  empty: string;
}

function Names({ title, names, empty }: NamesProps) {
  return (
    <div className="flex flex-col gap-1 pb-3 last:pb-0">
      <h4 className="text-meta text-text-3">{title}</h4>
      {names.length === 0 ? (
        <p className="text-ui">{empty}</p>
      ) : (
        <ul className="flex flex-wrap gap-1">
          {names.map((name) => (
            <li
              key={name}
              className="rounded-badge border border-line bg-sunken px-1.5 text-code [overflow-wrap:anywhere]"
            >
              <code>{name}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Long names with long values, each value below its name. */
function ValueList({ values }: { values: readonly (readonly [string, string])[] }) {
  return (
    <dl className="flex flex-col gap-2">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt className="text-meta text-text-3 [overflow-wrap:anywhere]">{name}</dt>
          <dd className="text-code [overflow-wrap:anywhere]">
            <code>{value === '' ? '(empty)' : value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
