import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

const HOSTILE = 'invoice\u202egpj.exe \u001b]0;owned\u0007';
const SHOWN = 'invoice&lt;U+202E&gt;gpj.exe ␛]0;owned␇';

function Quoted({ name }: { name: string }) {
  return <q data-raw={name === HOSTILE}>{name}</q>;
}

/** Compiled with React's own runtime, as libraries are. */
function OfLibrary({ children }: { children: string }) {
  return createElement('q', null, children);
}

describe('text on a page', () => {
  it('[SEC-3.4] is visible wherever an element draws it', () => {
    const drawn = renderToStaticMarkup(
      <section title={HOSTILE} aria-label={HOSTILE}>
        {HOSTILE}
        <Fragment key="2">{HOSTILE}</Fragment>
        <b>a {HOSTILE} b</b>
        {[HOSTILE].map((text) => (
          <i key="1">{text}</i>
        ))}
        {[HOSTILE]}
        <abbr title={HOSTILE} />
      </section>,
    );
    expect(drawn).toBe(
      `<section title="${SHOWN}" aria-label="${SHOWN}">${SHOWN}${SHOWN}<b>a ${SHOWN} b</b><i>${SHOWN}</i>${SHOWN}<abbr title="${SHOWN}"></abbr></section>`,
    );
  });

  it('[SEC-3.4] is visible where a library’s component draws it', () => {
    expect(renderToStaticMarkup(<OfLibrary>{HOSTILE}</OfLibrary>)).toBe(`<q>${SHOWN}</q>`);
  });

  it('[SEC-3.4] reaches the other props of components as it is, so that what they copy or send stays true', () => {
    const drawn = renderToStaticMarkup(<Quoted name={HOSTILE} />);
    expect(drawn).toBe(`<q data-raw="true">${SHOWN}</q>`);
  });

  it('[SEC-3.4] is visible in an option, whose value stays as it is', () => {
    const drawn = renderToStaticMarkup(
      <select>
        <option value={'a\u202eb'}>{'a\u202eb'}</option>
        <option>{'a\u202eb'}</option>
      </select>,
    );
    expect(drawn).toContain('<option value="a\u202eb">a&lt;U+202E&gt;b</option>');
    expect(drawn).toContain('<option>a\u202eb</option>');
  });

  it('[SEC-3.4] stays as it is in the value of an input, which is saved again', () => {
    expect(renderToStaticMarkup(<input defaultValue={'a\u202eb'} />)).toContain('a\u202eb');
  });
});
