/** What is wrong with a form as a whole, or with a group in it that has no field of its own. */
export function FormProblem({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="text-bad-fg text-ui">
      {text}
    </p>
  );
}
