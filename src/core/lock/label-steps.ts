import { patch } from '../model/differences/patch.ts';
import { fieldRules } from '../model/field-classes.ts';
import { fieldLabel } from '../model/fields/differing-fields.ts';
import { NODE } from '../model/kinds.ts';
import type { NodeHistory, Step } from './node-source.ts';

/** Labels changed fields with part names. Starts at the oldest step, because each step can move array items. */
export function labelSteps({ before, steps, omitted }: NodeHistory): readonly Step[] {
  const rules = fieldRules(NODE);
  let body = omitted === 0 ? before : undefined;
  const labelled: Step[] = [];
  for (const step of steps.toReversed()) {
    const old = body;
    const patched = old && patch(old, step.fields);
    // The body is unknown after a node was removed and added again.
    const isKnown = patched && !patched.conflict && step.action !== 'removed' && step.action !== 'added';
    body = isKnown ? patched.body : undefined;
    const now = body;
    labelled.unshift(
      old && now
        ? { ...step, fields: step.fields.map((change) => ({ ...change, field: fieldLabel(change, old, now, rules) })) }
        : step,
    );
  }
  return labelled;
}
