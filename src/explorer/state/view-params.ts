/**
 * The parameters of the views in the fragment of the URL. The compiler rejects all other names. A change adds an entry
 * to the browser's history, with two exceptions: `q` replaces the entry while the user types, and `at` and `than`
 * replace it during a drag.
 */

/** Many values, separated by commas. */
type List = string;
/** One parameter for each value. */
type Repeated = string | readonly string[];

interface ViewParams {
  /** Every link keeps these parameters: the revision or date, the picked nodes, and whether all fields are loaded. */
  readonly every: { at: string; pick: List; fields: 'all' };
  readonly nodes: { q: string; columns: List; sort: List; group: 'hardware'; pages: '100'; page: string };
  readonly time: { than: string; rows: string; by: string; class: string };
  readonly changes: { class: Repeated; site: Repeated; type: Repeated };
  readonly compare: { all: '1'; majority: '1'; was: List };
  readonly hardware: { rows: string; firmware: string; colour: string };
  readonly statistics: { rows: string; columns: string };
  readonly fields: { q: string };
}

/** The view of nodes has a parameter for each filter. Links to it use these fields, or names from `parameterOf`. */
interface Filters {
  site: Repeated;
  node_type: Repeated;
  uid: Repeated;
}

type View = keyof ViewParams;
type NamesIn<V extends View> = V extends View ? keyof ViewParams[V] & string : never;
export type ParamName<V extends View = View> = NamesIn<V>;
type ValueOf<Name> = { [V in View]: Name extends keyof ViewParams[V] ? ViewParams[V][Name] : never }[View];

type Changes<Names extends string> = { readonly [Name in Names]?: ValueOf<Name> | undefined };
type FilterChanges = { readonly [Name in keyof Filters]?: Filters[Name] | undefined };

/** The value `undefined` and an empty list remove a parameter. */
export type ParamChanges = Changes<ParamName> & FilterChanges;

/** The changes that fit a view. Views of single resources have only the parameters of every view. */
export type ChangesOf<Path extends string> = string extends Path
  ? ParamChanges
  : Path extends 'nodes'
    ? Changes<ParamName<'every' | 'nodes'>> & FilterChanges
    : Changes<ParamName<Path extends View ? Path | 'every' : 'every'>>;

/** `URLSearchParams` that can be read only by known names. */
export interface Params extends Iterable<[string, string]> {
  get(name: ParamName): string | null;
  getAll(name: ParamName): string[];
  has(name: ParamName | keyof Filters): boolean;
  keys(): Iterable<string>;
  toString(): string;
}
