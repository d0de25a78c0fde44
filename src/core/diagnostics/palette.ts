export interface Palette {
  readonly error: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
}

const same = (text: string) => text;
export const PLAIN: Palette = { error: same, good: same, warning: same, quiet: same, strong: same };
