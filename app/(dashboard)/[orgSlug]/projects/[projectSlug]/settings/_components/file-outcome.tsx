import type { ReactNode } from 'react';
import { formatCounted } from '@/lib/platform/format/count';
import type { FileComparison } from '@/lib/projects/file';
import { DifferenceList } from './difference-list';

interface FileOutcomeProps {
  compared: FileComparison;
  /** What saves it; shown where there is something to save. */
  children: ReactNode;
}

/** What is wrong with a file, by line; or what it changes of the version in force. */
export function FileOutcome({ compared, children }: FileOutcomeProps) {
  const { problems, changes, version } = compared;
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
      <p role="status">The file says what v{version} says already. There is nothing to save.</p>
    );
  }
  return (
    <section aria-label="What the file changes" className="flex flex-col gap-3">
      <p role="status">
        {formatCounted(changes.length, 'change')} to v{version}:
      </p>
      <DifferenceList changes={changes} />
      <span>{children}</span>
    </section>
  );
}
