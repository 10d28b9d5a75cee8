// Smooths drawn paths so that an animal can follow them: corners become curves about as wide as the animal is tall.

export type Place = [number, number];

/** Spacing of the points. */
const SPACING_HIP_HEIGHTS = 0.3;
/** Standard deviation of the smoothing. */
const SMOOTHING_HIP_HEIGHTS = 0.9;
/** Fewer than the server accepts. */
const MAX_POINTS = 400;

const lerp = (a: Place, b: Place, share: number): Place => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];

/** Points at equal distances along a polyline, and its last point. */
function resample(line: readonly Place[], spacing: number): Place[] {
  const first = line[0];
  if (!first) return [];
  const even: Place[] = [first];
  let [before, due] = [first, spacing];
  for (const point of line.slice(1)) {
    const far = Math.hypot(point[0] - before[0], point[1] - before[1]);
    let along = due;
    for (; along <= far; along += spacing) even.push(lerp(before, point, along / far));
    due = along - far;
    before = point;
  }
  return [...even, before];
}

/** The smoothed path for an animal of this hip height, with the same ends. */
export function smooth(drawn: readonly Place[], hip: number): Place[] {
  const length = drawn.slice(1).reduce((sum, [x, z], i) => sum + Math.hypot(x - (drawn[i]?.[0] ?? x), z - (drawn[i]?.[1] ?? z)), 0);
  const spacing = Math.max(SPACING_HIP_HEIGHTS * hip, length / MAX_POINTS);
  let path = resample(drawn, spacing);
  // A pass filters with (1/4, 1/2, 1/4), of variance 1/2 in squared spacings: n passes approach a Gaussian of n/2.
  for (let pass = Math.round(2 * ((SMOOTHING_HIP_HEIGHTS * hip) / spacing) ** 2); pass > 0; pass--)
    path = path.map((point, i) => {
      const [a, b] = [path[i - 1], path[i + 1]];
      return a && b ? lerp(point, lerp(a, b, 0.5), 0.5) : point;
    });
  return path;
}
