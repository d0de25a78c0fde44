/** Tests often run as root, whom no permission stops: such a test does its work as a user without rights. */
const NOBODY = 65_534;

/** Runs some work with the rights of an ordinary user. Folders that it needs must be open to everyone. */
export async function asOrdinaryUser<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
