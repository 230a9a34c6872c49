import { cn } from './cn';

export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-badge border border-line bg-sunken px-1 font-sans text-meta text-text-3',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
