import { pathAbove } from '../../core/model/resource-path.ts';

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

export function historiesOf(versions: Iterable<Version>): Iterable<readonly Version[]> {
  const histories = new Map<string, Version[]>();
  for (const version of versions) {
    const path = pathAbove(version.path);
    const history = histories.get(path);
    if (history) history.push(version);
    else histories.set(path, [version]);
  }
  return histories.values();
}

export interface DescribedChange {
  readonly digest: string;
  /** The path of the version that describes it first. */
  readonly by: string;
  /** Whether the version of the whole grid describes it too. */
  isInAll: boolean;
}
