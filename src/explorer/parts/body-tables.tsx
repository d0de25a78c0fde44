/** A body by the classes of its fields; parts that are alike in all fields of a class are told of together. */
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Field } from '../data/registry.ts';
import { type BodyField, bodyFields } from '../fleet/body-fields.ts';
import { visible } from '../format/values.ts';
import { FieldLabel } from './field-label.tsx';
import { Value } from './value.tsx';

/** Unfolded at first: what people ask of. */
const FOREMOST = ['hardware'];

/** The fields that stand together: a part of which there are several, or all that are no part of anything. */
interface Part {
  readonly title: string;
  readonly fields: readonly BodyField[];
}

export function BodyTables({ body, fields }: { body: JsonObject; fields: readonly Field[] }) {
  const all = bodyFields(body);
  const words = new Map(fields.map(({ name, description }) => [name, description]));
  return (
    <>
      {FIELD_CLASSES.map((about) => {
        const some = all.filter((field) => field.class === about);
        if (some.length === 0) return null;
        return (
          <details key={about} class="class" open={FOREMOST.includes(about)}>
            <summary>{about.charAt(0).toUpperCase() + about.slice(1)}</summary>
            <div class="body-parts">
              {partsOf(some).map(({ title, fields: held }) => (
                <section key={title} aria-label={title}>
                  {title === '' ? null : <h3>{title}</h3>}
                  <dl class="fields">
                    {held.map((field) => (
                      <div key={field.label}>
                        <dt title={words.get(field.name)}>
                          <FieldLabel label={field.label} />
                        </dt>
                        <dd>
                          <Value value={field.value} field={field.name} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ))}
            </div>
          </details>
        );
      })}
    </>
  );
}

const ITEM = /^([^[\]]+)\[([^\]]*)\]\.(.+)$/;

/** Items of an array with the same fields and values become one part, under all of their names. */
function partsOf(fields: readonly BodyField[]): Part[] {
  const loose: BodyField[] = [];
  const items = new Map<string, { array: string; name: string; fields: BodyField[] }>();
  for (const field of fields) {
    const [, array = '', name = '', rest = ''] = ITEM.exec(field.label) ?? [];
    if (rest === '') {
      loose.push(field);
      continue;
    }
    const key = `${array}[${name}]`;
    const item = items.get(key) ?? { array, name, fields: [] };
    items.set(key, item);
    item.fields.push({ ...field, label: rest });
  }
  const alike = new Map<string, { array: string; names: string[]; fields: BodyField[] }>();
  for (const { array, name, fields: held } of items.values()) {
    const key = JSON.stringify([array, held.map(({ label, value }) => [label, value])]);
    const known = alike.get(key) ?? { array, names: [], fields: held };
    alike.set(key, known);
    known.names.push(name);
  }
  const parts = [...alike.values()].map(({ array, names, fields: held }) => {
    const count = names.length > 1 ? `${names.length} × ` : '';
    return { title: visible(`${count}${array} [${names.join(', ')}]`), fields: held };
  });
  return loose.length > 0 ? [{ title: '', fields: loose }, ...parts] : parts;
}
