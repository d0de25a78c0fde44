export interface Dot {
  readonly uid: string;
  readonly name: string;
  /** Positions and radii are in pixels. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface Label {
  readonly text: string;
  /** The point of the text that is placed at `x`: its start, its middle or its end. */
  readonly anchor: keyof typeof SHARE_BEFORE;
  readonly x: number;
  readonly y: number;
}

interface Room {
  readonly width: number;
  readonly height: number;
}

interface Box extends Room {
  readonly left: number;
  readonly top: number;
}

/** The radius of the smallest dot, in pixels. */
export const LEAST_RADIUS = 5;

/** The width of a wide bold letter at font size 12, in pixels. */
const LETTER = 8.5;
const LINE = 16;
const GAP = 2;
/** The share of a label's width that is to the left of `x`, for each anchor. */
const SHARE_BEFORE = { start: 0, middle: 0.5, end: 1 };
/** The maximum width of a list of site names, as a share of the map's width. A wider list becomes a count of sites. */
const MOST_SHARE = 0.5;

/** Places each label at a free place near its dot. If no place is free, uses the place to the right of the dot. */
export function placedLabels(dots: readonly Dot[], room: Room): Label[] {
  const taken: Box[] = dots.map(({ x, y, radius }) => {
    return { left: x - radius - GAP, top: y - radius - GAP, width: 2 * (radius + GAP), height: 2 * (radius + GAP) };
  });
  const labels: Label[] = [];
  for (const group of overlappingDots(dots)) {
    const [{ x, y }] = group;
    const distance = Math.max(...group.map(({ radius }) => radius)) + GAP;
    const names = group.map(({ name }) => name).join(', ');
    const text = group.length > 1 && names.length * LETTER > room.width * MOST_SHARE ? `${group.length} sites` : names;
    const width = text.length * LETTER;
    const [above, level, below] = [y - distance - LINE, y - LINE / 2, y + distance];
    const places = [
      { anchor: 'start', at: x + distance + 1, top: level },
      { anchor: 'end', at: x - distance - 1, top: level },
      ...(['middle', 'start', 'end'] as const).flatMap((anchor) => [
        { anchor, at: x, top: above },
        { anchor, at: x, top: below },
      ]),
    ] as const;
    const boxOf = ({ anchor, at, top }: (typeof places)[number]): Box => {
      return { left: at - SHARE_BEFORE[anchor] * width, top, width, height: LINE };
    };
    const [right] = places;
    const place = places.find((each) => isFree(boxOf(each), taken, room)) ?? right;
    taken.push(boxOf(place));
    labels.push({ text, anchor: place.anchor, x: place.at, y: place.top + LINE - 4 });
  }
  return labels;
}

function overlappingDots(dots: readonly Dot[]): [Dot, ...Dot[]][] {
  const groups: [Dot, ...Dot[]][] = [];
  for (const dot of dots) {
    const near = groups.find(
      ([first]) => Math.hypot(first.x - dot.x, first.y - dot.y) < Math.max(first.radius, dot.radius) + LEAST_RADIUS,
    );
    if (near) near.push(dot);
    else groups.push([dot]);
  }
  return groups;
}

function isFree(box: Box, taken: readonly Box[], room: Room): boolean {
  const isInside =
    box.left >= 0 && box.left + box.width <= room.width && box.top >= 0 && box.top + box.height <= room.height;
  return isInside && !taken.some((other) => overlap(box, other));
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}
