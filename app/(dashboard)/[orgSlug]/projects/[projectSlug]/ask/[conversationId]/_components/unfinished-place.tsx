import { UnfinishedMark } from '@/app/_components/log/unfinished-mark';
import { Markdown } from '@/app/_components/markdown/markdown';
import { getUnfinishedAnswer } from '@/lib/insight/sessions/service/get-unfinished-answer';
import type { TenantScope } from '@/lib/platform/db/scope';

/** What the agent had written when its turn ended without an answer; nothing where it wrote none. */
export async function UnfinishedPlace({
  scope,
  sessionId,
}: {
  scope: TenantScope;
  sessionId: string;
}) {
  const text = await getUnfinishedAnswer(scope, sessionId);
  if (text === null) return null;
  return (
    <section aria-label="Unfinished answer">
      <UnfinishedMark />
      <Markdown text={text} />
    </section>
  );
}
