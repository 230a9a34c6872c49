import { Button } from '@/app/_components/ui/button';
import { Input } from '@/app/_components/ui/input';

interface CompareFormProps {
  first: number | null;
  second: number | null;
}

/** The numbers of two sessions; a plain form puts them into the address. */
export function CompareForm({ first, second }: CompareFormProps) {
  return (
    <form className="flex flex-wrap items-end gap-3">
      <NumberField name="a" label="First session" value={first} />
      <NumberField name="b" label="Second session" value={second} />
      <Button look="primary" type="submit">
        Compare
      </Button>
    </form>
  );
}

function NumberField(props: { name: string; label: string; value: number | null }) {
  const { name, label, value } = props;
  return (
    <label htmlFor={`session-${name}`} className="flex flex-col gap-1 text-ui">
      <span className="font-medium">{label}</span>
      <Input
        id={`session-${name}`}
        name={name}
        required
        inputMode="numeric"
        pattern="#?[1-9][0-9]{0,8}"
        title="A session’s number, such as 18"
        placeholder="#"
        defaultValue={value ?? ''}
        className="w-32"
      />
    </label>
  );
}
