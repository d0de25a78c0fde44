import type { AppState, ViewProps } from '../app-state.ts';
import { CHANGE_CLASSES, PRESENCE } from '../fleet/changed-classes.ts';
import { navigate, withParams } from '../state/place.ts';
import { Select } from './select.tsx';
import { plainNumber } from './value.tsx';

export const NONE_OF_CLASS = 'No changes of this class.';

export function classIn({ place }: AppState): string {
  return place.params.get('class') ?? '';
}

interface ClassChoiceProps extends ViewProps {
  /** Returns the number of changes of a class. The user cannot choose a class that has no changes. */
  readonly numberOf: (name: string) => number;
}

export function ClassChoice({ state, numberOf }: ClassChoiceProps) {
  const chosen = classIn(state);
  const options = CHANGE_CLASSES.flatMap((name) => {
    const number = numberOf(name);
    const text = name === PRESENCE ? 'added or removed' : name;
    return number > 0 || name === chosen ? [[name, `${text} (${plainNumber(number)})`] as const] : [];
  });
  return (
    <Select
      label="Changes"
      value={chosen}
      options={[['', 'all classes'], ...options]}
      choose={(name) => navigate('time', withParams(state.place.params, { class: name === '' ? undefined : name }))}
    />
  );
}
