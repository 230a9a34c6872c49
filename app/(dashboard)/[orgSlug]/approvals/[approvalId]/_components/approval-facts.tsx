import type { ReactNode } from 'react';
import { votesText } from '@/app/_components/pending-approvals';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { CopyId } from '@/app/_components/ui/copy-button';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { TextLink } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { aftermath, approvalEffect, deciders, refusalEffect } from './approval-words';

interface ApprovalFactsProps {
  approval: ApprovalDto;
  orgSlug: string;
}

/** Why it is requested, in words that nobody has checked. */
export function Reason({ approval: { kind, reason } }: Pick<ApprovalFactsProps, 'approval'>) {
  return (
    <Card title={kind === 'command' ? 'The agent’s reason' : 'Why the tier is due'}>
      {reason ? (
        <>
          <blockquote className="max-w-prose whitespace-pre-wrap break-words border-line border-l-2 pl-3">
            <SafeText text={reason} />
          </blockquote>
          <p className="mt-2 text-meta text-text-3">
            {kind === 'command'
              ? 'The agent’s own words. Nobody checked them.'
              : 'Reported by the tier before, or entered by the person who started the chain. Nobody checked it.'}
          </p>
        </>
      ) : (
        <p className="text-text-2 text-ui">No reason was given.</p>
      )}
    </Card>
  );
}

/** Everything that the decision covers, and who decides until when. */
export function ApprovalFacts({ approval, orgSlug }: ApprovalFactsProps) {
  const { kind, status, services, cwd, files, rule, runner, digest } = approval;
  const isCommand = kind === 'command';
  return (
    <>
      <Card title={isCommand ? 'What runs' : 'What starts'}>
        <DefinitionList
          className={COLUMNS}
          items={[
            { term: 'Services', value: services.length > 0 ? services.join(', ') : 'None named' },
            ...(cwd ? [{ term: 'Working folder', value: <Code text={cwd} /> }] : []),
            ...(isCommand ? [{ term: 'Files', value: <Files files={files} /> }] : []),
            ...(runner
              ? [
                  {
                    term: 'Host',
                    value: (
                      <>
                        <TextLink href={`/${orgSlug}/runners/${runner.id}`}>{runner.name}</TextLink>
                        , and no other
                      </>
                    ),
                  },
                ]
              : []),
            ...(rule ? [{ term: 'Rule', value: <Code text={rule} /> }] : []),
            ...(status === 'pending'
              ? [
                  { term: 'If approved', value: approvalEffect(approval) },
                  { term: 'If refused', value: refusalEffect(approval) },
                ]
              : []),
            {
              term: 'Digest',
              value: <CopyId id={digest} label="digest of everything that is decided about" />,
            },
          ]}
        />
      </Card>
      <Card title="Request">
        <DefinitionList
          className={COLUMNS}
          items={[...originOf(approval, orgSlug), ...termsOf(approval)]}
        />
      </Card>
    </>
  );
}

/** Both lists have their values in one column. */
const COLUMNS =
  'grid-cols-[7.5rem_minmax(0,1fr)] max-md:gap-x-3 md:grid-cols-[8.5rem_minmax(0,1fr)]';

type Item = { term: string; value: ReactNode };

function originOf(approval: ApprovalDto, orgSlug: string): Item[] {
  const { project, chain, session, requester } = approval;
  const root = `/${orgSlug}/projects/${project.slug}`;
  return [
    {
      term: 'Project',
      value: <TextLink href={root}>{project.name}</TextLink>,
    },
    {
      term: 'Chain and session',
      value: (
        <>
          <TextLink href={`${root}/chains/${chain.number}`}>Chain #{chain.number}</TextLink>
          {', '}
          <TextLink href={`${root}/sessions/${session.number}`}>Session #{session.number}</TextLink>
        </>
      ),
    },
    { term: 'Chain started by', value: requester ?? 'Nobody: it started automatically' },
  ];
}

function termsOf(approval: ApprovalDto): Item[] {
  const { requestedAt, heldUntil, expiresAt, peopleNeeded, requester, votes, status } = approval;
  const given = votesText(approval);
  return [
    {
      term: 'Who may decide',
      value: `${deciders(approval)}${requester ? ', except the person who started the chain' : ''}`,
    },
    {
      term: 'People needed',
      value:
        peopleNeeded === 1 ? '1 to approve or refuse' : `${peopleNeeded} to approve, 1 to refuse`,
    },
    ...(status === 'pending' && given !== null
      ? [
          {
            term: 'Decisions so far',
            value: votes.length > 0 ? <VoteList votes={votes} /> : `None: ${given} approvals`,
          },
        ]
      : []),
    { term: 'Requested', value: <Time at={requestedAt} form="day" /> },
    ...(heldUntil && status === 'pending'
      ? [
          {
            term: 'Held until',
            value: (
              <>
                <Time at={heldUntil} form="day" />. After that the agent’s process ends and
                continues after the decision.
              </>
            ),
          },
        ]
      : []),
    { term: 'Expires', value: <Time at={expiresAt} form="day" /> },
  ];
}

function Code({ text }: { text: string }) {
  return (
    <code className="text-code [overflow-wrap:anywhere]">
      <SafeText text={text} />
    </code>
  );
}

function Files({ files }: Pick<ApprovalDto, 'files'>) {
  if (files.length === 0) return 'None from the work folder';
  return (
    <ul className="flex flex-col gap-1">
      {files.map(({ path, bytes, sha256 }) => (
        <li key={path} className="flex flex-wrap items-baseline gap-x-3">
          <Code text={path} />
          <span className="whitespace-nowrap text-text-2">
            {BYTES.format(bytes)} {bytes === 1 ? 'byte' : 'bytes'}
          </span>
          <CopyId id={sha256} label={`SHA-256 of ${path}`} />
        </li>
      ))}
    </ul>
  );
}

const BYTES = new Intl.NumberFormat('en');

/** Who decided, when and with which note, and what became of the request. */
export function Outcome({ approval }: { approval: ApprovalDto }) {
  const { status, decidedAt, usedAt, expiresAt, kind, votes } = approval;
  const text = aftermath(approval, new Date());
  const isUnused = status === 'approved' && kind === 'command' && usedAt === null;
  return (
    <>
      <StatusBadge
        kind="approval"
        state={status}
        reason={decidedAt ? <Time at={decidedAt} form="day" /> : null}
      />
      {votes.length > 0 ? <VoteList votes={votes} /> : null}
      <p className="text-text-2 text-ui">
        {usedAt ? (
          <>
            Used <Time at={usedAt} form="day" />:{' '}
            {kind === 'command' ? 'the command was allowed to run.' : 'the tier started.'}
          </>
        ) : (
          text
        )}
        {isUnused && new Date(expiresAt) > new Date() ? (
          <>
            {' '}
            Expires <Time at={expiresAt} />.
          </>
        ) : null}
      </p>
    </>
  );
}

const VERDICTS = { approve: 'Approved', refuse: 'Refused' };
const DOORS = { page: '', api: ', by API or command line' };

/** Each person's decision with its note, in order. */
function VoteList({ votes }: Pick<ApprovalDto, 'votes'>) {
  return (
    <ul className="flex flex-col gap-1.5">
      {votes.map(({ person, verdict, note, via, at }) => (
        <li key={person} className="text-ui">
          {VERDICTS[verdict]} by <span className="wrap-anywhere font-medium">{person}</span>
          {DOORS[via]} <Time at={at} className="text-text-3" />
          {note ? (
            <p className="mt-0.5 whitespace-pre-wrap break-words border-line border-l-2 pl-2 text-text-2">
              <SafeText text={note} />
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
