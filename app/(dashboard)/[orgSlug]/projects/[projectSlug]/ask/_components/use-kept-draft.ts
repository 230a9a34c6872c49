'use client';

import { useEffect, useState } from 'react';

/**
 * A text that outlives the page: another page, a reload, a sign-in that ended. It ends with the
 * tab, since what operators paste may hold more than a shared machine should keep.
 */
export function useKeptDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState('');
  const name = `ask-draft:${key}`;

  useEffect(() => {
    const kept = sessionStorage.getItem(name);
    // What was typed before the page came alive is newer.
    if (kept) setText((typed) => (typed === '' ? kept : typed));
  }, [name]);

  function change(next: string) {
    setText(next);
    if (next === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
  }

  return [text, change];
}
