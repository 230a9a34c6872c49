/**
 * What JSX compiles to (`jsxImportSource` in tsconfig.json). Names, logs and answers of agents are
 * text of others, and any page may draw them: here none can forget to make a right-to-left override
 * or an escape sequence visible. A key goes before spread props: after them JSX would become
 * `createElement`, which passes this by, so the build refuses it.
 */
import * as react from 'react/jsx-runtime';
import { visibleProps } from './visible-props';

export type { JSX } from 'react';
export { Fragment } from 'react/jsx-runtime';

export const jsx: typeof react.jsx = (type, props, key) =>
  react.jsx(type, visibleProps(type, props), key);

export const jsxs: typeof react.jsxs = (type, props, key) =>
  react.jsxs(type, visibleProps(type, props), key);
