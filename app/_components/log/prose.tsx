import { cn } from '../ui/cn';
import { type Inline, type ProseBlock, proseBlocks } from './prose-blocks';
import { SafeText } from './safe-text';

/** What an agent wrote, as quiet prose. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <div className={cn('flex max-w-prose flex-col gap-2 break-words text-body', className)}>
      {proseBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text never change places
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: ProseBlock }) {
  switch (block.type) {
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 text-code">
          <SafeText text={block.text} />
        </pre>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List
          className={cn(
            'flex flex-col gap-0.5 pl-5 marker:text-text-3',
            block.isOrdered ? 'list-decimal' : 'list-disc',
          )}
        >
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items of one list never change places
            <li key={index}>
              <Inlines content={item} />
            </li>
          ))}
        </List>
      );
    }
    default:
      return (
        <p className={cn('whitespace-pre-line', block.type === 'heading' && 'font-semibold')}>
          <Inlines content={block.content} />
        </p>
      );
  }
}

function Inlines({ content }: { content: readonly Inline[] }) {
  return content.map((part, index) => {
    const text = <SafeText text={part.text} />;
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one line never change places
    if (part.type === 'strong') return <strong key={index}>{text}</strong>;
    if (part.type === 'code') {
      return (
        <code key={index} className="rounded-[3px] bg-hover px-1 text-code">
          {text}
        </code>
      );
    }
    return <span key={index}>{text}</span>;
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });
}
