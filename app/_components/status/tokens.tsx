import { formatContextUse, formatTokens, formatTokensExact } from '@/lib/platform/format/count';
import { cn } from '../ui/cn';
import { Unknown } from './cost';

interface TokensProps {
  /** Null when it is not known. */
  count: number | null;
  /** The window it is a share of: "34% of 200k". */
  of?: number;
  unknownReason?: string;
  className?: string;
}

/** A number of tokens; its tip has every digit. */
export function Tokens(props: TokensProps) {
  const { count, of, unknownReason = 'The process reported no usage' } = props;
  const className = cn('whitespace-nowrap tabular-nums', props.className);
  if (count === null) return <Unknown reason={unknownReason} className={className} />;
  return (
    <data value={count} title={`${formatTokensExact(count)} tokens`} className={className}>
      {of === undefined ? formatTokens(count) : formatContextUse(count, of)}
    </data>
  );
}
