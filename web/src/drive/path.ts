// Drawn paths as an animal can follow them: corners of a hand become curves about as wide as the animal is tall.

export type Place = [number, number];

/** Room between two points and reach of the smoothing, in hip heights. */
const [APART, REACH] = [0.3, 0.9];
/** Fewer than the server takes. */
const MOST = 400;

const between = (a: Place, b: Place, share: number): Place => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];

/** Points at even distances along a line, its ends among them. */
function resample(line: readonly Place[], apart: number): Place[] {
  const first = line[0];
  if (!first) return [];
  const even: Place[] = [first];
  let [before, due] = [first, apart];
  for (const point of line.slice(1)) {
    const far = Math.hypot(point[0] - before[0], point[1] - before[1]);
    let along = due;
    for (; along <= far; along += apart) even.push(between(before, point, along / far));
    due = along - far;
    before = point;
  }
  return [...even, before];
}

/** The path for an animal of this hip height; it begins and ends where it was drawn. */
export function smooth(drawn: readonly Place[], hip: number): Place[] {
  const length = drawn.slice(1).reduce((sum, [x, z], i) => sum + Math.hypot(x - (drawn[i]?.[0] ?? x), z - (drawn[i]?.[1] ?? z)), 0);
  const apart = Math.max(APART * hip, length / MOST);
  let path = resample(drawn, apart);
  // Each pass mixes a point with the middle of its neighbours: many passes are a bell curve.
  for (let pass = Math.round(2 * ((REACH * hip) / apart) ** 2); pass > 0; pass--)
    path = path.map((point, i) => {
      const [a, b] = [path[i - 1], path[i + 1]];
      return a && b ? between(point, between(a, b, 0.5), 0.5) : point;
    });
  return path;
}
