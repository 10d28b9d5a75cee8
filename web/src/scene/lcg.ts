// A linear congruential generator: cheap repeatable numbers for decoration.

/** A function that draws numbers in [0, 1); the same seed gives the same numbers. */
export function lcg(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 32;
  };
}
