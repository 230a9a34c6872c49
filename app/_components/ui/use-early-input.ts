import { type Ref, useCallback } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * A ref for a control that somebody may have used while the page was still coming alive: React
 * takes over what stands there without a word to the form, which would drop it at the next change.
 * Here the control says it again.
 */
export function useEarlyInput<Element extends Control>(ref: Ref<Element> | undefined) {
  return useCallback(
    (control: Element) => {
      const early = earlyInputOf(control);
      // Once React has finished with the page around it.
      if (early) queueMicrotask(early);
      return passOn(ref, control);
    },
    [ref],
  );
}

function passOn<Element>(ref: Ref<Element> | undefined, element: Element): () => void {
  if (typeof ref === 'function') {
    const cleanUp = ref(element);
    return () => void (typeof cleanUp === 'function' ? cleanUp() : ref(null));
  }
  if (ref) ref.current = element;
  return () => {
    if (ref) ref.current = null;
  };
}

/** Null for a control that shows what the server wrote into it. */
function earlyInputOf(control: Control): (() => void) | null {
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
    if (control.checked === control.defaultChecked) return null;
    return () => {
      control.checked = control.defaultChecked;
      control.click();
    };
  }
  const typed = control.value;
  if (typed === control.defaultValue) return null;
  return () => {
    // React compares with what its own setter has seen last, so the text goes in past that setter.
    control.value = control.defaultValue;
    const { prototype } = control.constructor as typeof HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, typed);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
