import type { ComponentChildren } from 'preact';

interface CheckboxProps {
  readonly checked: boolean;
  readonly change: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}

export function Checkbox({ checked, change, children }: CheckboxProps) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} /> {children}
    </label>
  );
}
