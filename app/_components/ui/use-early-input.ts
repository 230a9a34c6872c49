import { type ComponentProps, type Ref, useCallback, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Returns a ref for a control that may have been used before the page was hydrated: React restores
 * its value without notifying the form, which would drop it at the next change. The control
 * therefore reports its value again. A select must also be set to the value that React assumes.
 */
export function useEarlyInput<Element extends Control>(
  ref: Ref<Element> | undefined,
  shown?: ComponentProps<'select'>['value'],
) {
  const shownAtFirst = useRef(shown);
  return useCallback(
    (control: Element) => {
      const early =
        control instanceof HTMLSelectElement
          ? earlyChoiceOf(control, shownAtFirst.current)
          : earlyInputOf(control);
      // Once React and the router have finished with the page around it.
      if (early) setTimeout(early);
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

/** Its options do not say what was written into it: a select made in the browser marks none of them. */
function earlyChoiceOf(select: HTMLSelectElement, shown: unknown): (() => void) | null {
  const options = [...select.options];
  const written =
    options.find(({ value }) => value === String(shown)) ??
    options.find(({ disabled }) => !disabled);
  if (!written || written.selected) return null;
  const chosen = select.value;
  return () => {
    // React may have set its own value in the meantime.
    select.value = chosen;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

/** Null for a control that shows what the server wrote into it. */
function earlyInputOf(control: HTMLInputElement | HTMLTextAreaElement): (() => void) | null {
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
    if (control.checked === control.defaultChecked) return null;
    // The radio button that lost the choice; the one that has it speaks for both.
    if (control.type === 'radio' && !control.checked) return null;
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
