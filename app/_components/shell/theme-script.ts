/**
 * Runs before the first paint for people who follow their system's theme, which the server
 * cannot know. Constant, so that a policy can allow it by nonce or by hash.
 */
export const themeScript =
  "if(document.documentElement.dataset.theme==='system'&&matchMedia('(prefers-color-scheme: dark)').matches)document.documentElement.classList.add('dark')";
