/** Permission tests often run as root, whose rights are not limited. They drop to a user without rights. */
const NOBODY = 65_534;

/** Runs a function with the rights of an ordinary user. All folders that it needs must be readable for everyone. */
export async function asOrdinaryUser<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
