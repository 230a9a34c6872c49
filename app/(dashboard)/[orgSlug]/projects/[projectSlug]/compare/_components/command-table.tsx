import { Card } from '@/app/_components/ui/card';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { SessionComparison } from '@/lib/insight/sessions/get-comparison';
import { formatCount } from '@/lib/platform/format/count';

/** Every command once; those that only one session ran stand first. */
export function CommandTable({ comparison }: { comparison: SessionComparison }) {
  const { first, second, commands, isCut } = comparison;
  return (
    <Card title="Commands" note={isCut ? 'the first 1,000 of each session' : undefined} isFlush>
      {commands.length === 0 ? (
        <p className="px-4 pb-4 text-text-2 text-ui">
          Neither session has commands in its log. Logs are deleted after their retention.
        </p>
      ) : (
        <table aria-label="Commands" className="w-full table-fixed text-ui">
          <thead>
            <tr className="text-meta text-text-3">
              <th scope="col" className="h-8 px-4 text-left">
                Command
              </th>
              <th scope="col" className="w-24 px-3 text-right">
                #{first.number}
              </th>
              <th scope="col" className="w-24 px-4 text-right">
                #{second.number}
              </th>
            </tr>
          </thead>
          <tbody>
            {commands.map(({ command, counts }) => (
              <tr key={command} className="border-line border-t">
                <td className="px-4 py-1.5 font-mono text-code [overflow-wrap:anywhere]">
                  <SafeText text={command} />
                </td>
                <td className="px-3 py-1.5 text-right align-top tabular-nums">
                  {timesText(counts[0])}
                </td>
                <td className="px-4 py-1.5 text-right align-top tabular-nums">
                  {timesText(counts[1])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** "2 times"; a session that didn't run it says so. */
function timesText(count: number): string {
  if (count === 0) return 'not run';
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}
