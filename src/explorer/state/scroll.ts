/** Remembers scroll positions by address, so that Back returns to the same place. */

const positions = new Map<string, number>();

function keyOf(region: string): string {
  return `${region} ${location.hash}`;
}

export function rememberScroll(region: string, top: number): void {
  positions.set(keyOf(region), top);
}

/** 0 for an address that was not visited. */
export function scrollOf(region: string): number {
  return positions.get(keyOf(region)) ?? 0;
}
