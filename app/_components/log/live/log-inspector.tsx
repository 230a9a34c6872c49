'use client';

import { Duration } from '../../status/duration';
import { tierName } from '../../status/tier-mark';
import { CopyButton } from '../../ui/copy-button';
import { DefinitionList } from '../../ui/definition-list';
import { SafeText } from '../../ui/safe-text';
import { callTitle } from '../call-title';
import { type CallEnd, callEnd, outputLines } from '../fold';
import type { CallItem, LogRow } from '../log-rows';
import { LogTime } from '../log-time';
import type { LogFacts } from './entry-row';
import { callsOf } from './rows';

interface LogInspectorProps {
  rows: readonly LogRow[];
  /** Of the call that was opened last. */
  seq: number | null;
  facts: LogFacts;
}

const ENDS: Record<CallEnd, string> = {
  pending: 'still running',
  ok: 'ended',
  failed: 'failed',
  denied: 'denied, so it did not run',
};

/** The facts of one call, beside the log where there is room. */
export function LogInspector({ rows, seq, facts }: LogInspectorProps) {
  const call = seq === null ? undefined : rows.flatMap(callsOf).find((item) => item.seq === seq);
  return (
    <aside
      aria-label="Selected call"
      className="sticky top-16 hidden w-80 shrink-0 rounded-card border border-line bg-surface p-4 xl:block"
    >
      {call ? (
        <CallFacts call={call} facts={facts} />
      ) : (
        <p className="text-text-3 text-ui">Select a call to see its details.</p>
      )}
    </aside>
  );
}

function CallFacts({ call, facts }: { call: CallItem; facts: LogFacts }) {
  const title = callTitle(call.tool, call.input);
  const { result } = call;
  const lines = (text: string | null | undefined) => outputLines(text ?? '').length;
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-card">{call.tool}</h2>
      <pre className="max-h-60 overflow-y-auto whitespace-pre-wrap text-code [overflow-wrap:anywhere]">
        <SafeText text={title.text} />
      </pre>
      <DefinitionList
        items={[
          {
            term: 'Result',
            value: result?.exitCode == null ? ENDS[callEnd(call)] : `exit ${result.exitCode}`,
          },
          { term: 'Took', value: <Duration from={call.at} to={result?.at ?? null} /> },
          { term: 'At', value: <LogTime at={call.at} /> },
          { term: 'Tier', value: tierName(facts.tier) },
          ...(result
            ? [
                {
                  term: 'Output',
                  value: `${lines(result.stdout ?? result.content)} lines, stderr ${lines(result.stderr)}`,
                },
              ]
            : []),
          { term: 'Event', value: `${call.seq} of session #${facts.sessionNumber}` },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {title.mark === '$' ? <CopyButton value={title.text} label="Copy command" /> : null}
        {result?.stdout ? <CopyButton value={result.stdout} label="Copy output" /> : null}
      </div>
    </div>
  );
}
