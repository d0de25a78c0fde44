/** What the arguments of `gridpress diff` are: moments, or resources that may say of which moment they are meant. */
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isMoment } from '../sources/moment-names.ts';

export interface DiffArguments {
  readonly from: string;
  readonly to: string;
  readonly resource?: string | undefined;
  readonly at?: string | undefined;
}

export interface NamedAt {
  readonly given: string;
  readonly moment: string;
}

/** Whether the arguments of `gridpress diff` name resources to compare, instead of moments. Fails where one is of each sort. */
export function areResources({ from, to, resource, at }: DiffArguments): boolean {
  const moments = [from, to].filter(isMoment);
  if (resource === undefined && moments.length === 0) return true;
  const [moment] = moments;
  if (resource === undefined && moment !== undefined && moments.length === 1) {
    const { given } = namedAt(from === moment ? to : from, moment);
    return fail(finding('moment-or-resource', { given, moment }));
  }
  return at === undefined ? false : fail(finding('at-of-moments', { from, to }));
}

/** `NODE@MOMENT`, or a node at the moment that is said for all. */
export function namedAt(text: string, at: string): NamedAt {
  const sign = text.lastIndexOf('@');
  return sign > 0 ? { given: text.slice(0, sign), moment: text.slice(sign + 1) || at } : { given: text, moment: at };
}
