/** Stores texts without compression, because browsers have no synchronous zlib. */
export interface PackedText {
  readonly bytes: string;
}

export interface Packing {
  readonly pack: (text: string) => PackedText;
  readonly unpack: (packed: PackedText) => string;
}

export function newPacking(_: string): Packing | undefined {
  return undefined;
}
