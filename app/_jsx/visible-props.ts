import { visibleText } from '@/lib/platform/format/visible-text';

/** What a browser shows of an element beside its children. Values of inputs stay as they are. */
const SHOWN = ['title', 'alt', 'aria-label', 'aria-description'] as const;
/** Their children are no text for people, or what a form sends. */
function isRaw(type: unknown, props: Record<string, unknown>): boolean {
  return type === 'script' || type === 'style' || (type === 'option' && props.value === undefined);
}

/**
 * Returns the props of an element with its text made visible. A component's children are as well,
 * since a library's component draws them without coming here; its other props stay as they are, so
 * that what it copies or sends stays true.
 */
export function visibleProps<Props>(type: unknown, props: Props): Props {
  const given = props as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  const children = isRaw(type, given) ? given.children : visibleChildren(given.children);
  if (children !== given.children) changed.children = children;
  for (const name of typeof type === 'string' ? SHOWN : []) {
    const value = given[name];
    const text = typeof value === 'string' ? visibleText(value) : value;
    if (text !== value) changed[name] = text;
  }
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed };
}

function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return visibleText(children);
  if (!Array.isArray(children)) return children;
  const shown = children.map(visibleChildren);
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}
