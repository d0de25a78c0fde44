/** The way to a field, which narrow screens break where one of its parts ends. */
import { visible } from '../format/values.ts';

export function FieldLabel({ label }: { label: string }) {
  return (
    <span>
      {visible(label)
        .split(/(?<=[._])/)
        .flatMap((part, i) => (i === 0 ? part : [<wbr key={i} />, part]))}
    </span>
  );
}
