/** What is kept of the versions in a tree, of which there can be millions: in columns, of which a version is made when it is asked for. */
import { pathAbove } from '../../core/model/resource-path.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { digestColumn } from '../../core/platform/packed-columns.ts';

/** A version of an item, with digests of its body as recorded, and as items show it. */
export interface Version {
  readonly path: string;
  readonly predecessor: string | undefined;
  /** When it was, where it says that what came before is left out; in ISO 8601. */
  readonly cutAt: string | undefined;
  readonly action: string | undefined;
  /** Whether its changes, applied to what its predecessor says, are known to give what it says. */
  readonly isProved: boolean;
  /** Undefined where the item is gone. */
  readonly digests: BodyDigests | undefined;
}

/** SHA-256, in hexadecimal digits. */
export interface BodyDigests {
  readonly whole: string;
  readonly shown: string;
}

export interface VersionTable {
  /** Adds the version of a path of which there is none yet. */
  readonly add: (version: Version) => void;
  readonly get: (path: string) => Version | undefined;
  /** The versions of each item, in the order in which they were added. */
  readonly histories: () => Iterable<readonly Version[]>;
}

/** The row of the digests of what is gone. */
const NONE = -1;

export function versionTable(): VersionTable {
  const rows = new Map<string, number>();
  const paths: string[] = [];
  const predecessors: (string | undefined)[] = [];
  const cuts = new Map<number, string>();
  const actions: (string | undefined)[] = [];
  const proved: boolean[] = [];
  const firstDigests: number[] = [];
  const digests = digestColumn();

  const versionAt = (row: number): Version => {
    const first = itemAt(firstDigests, row);
    return {
      path: itemAt(paths, row),
      predecessor: predecessors[row],
      cutAt: cuts.get(row),
      action: actions[row],
      isProved: itemAt(proved, row),
      digests: first === NONE ? undefined : { whole: digests.at(first), shown: digests.at(first + 1) },
    };
  };
  return {
    add: (version) => {
      const row = paths.push(version.path) - 1;
      rows.set(version.path, row);
      predecessors.push(version.predecessor);
      if (version.cutAt !== undefined) cuts.set(row, version.cutAt);
      actions.push(version.action);
      proved.push(version.isProved);
      firstDigests.push(version.digests ? digests.count() : NONE);
      if (!version.digests) return;
      digests.add(version.digests.whole);
      digests.add(version.digests.shown);
    },
    get: (path) => {
      const row = rows.get(path);
      return row === undefined ? undefined : versionAt(row);
    },
    *histories() {
      const histories = new Map<string, number[]>();
      for (const [row, path] of paths.entries()) {
        const history = pathAbove(path);
        const known = histories.get(history);
        if (known) known.push(row);
        else histories.set(history, [row]);
      }
      for (const versions of histories.values()) yield versions.map(versionAt);
    },
  };
}
