// Random numbers: those of numpy's default_rng (SeedSequence, then PCG64), so that hills are where the server has
// them, and cheap ones for decoration.

const M32 = 0xffffffffn;
const M64 = (1n << 64n) - 1n;
const M128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** The eight 32-bit words that numpy's SeedSequence makes of `seed` (a whole number below 2^32). */
function seedWords(seed: number): bigint[] {
  let hash = 0x43b0d7e5n;
  const hashed = (value: bigint): bigint => {
    value = (value ^ hash) & M32;
    hash = (hash * 0x931e8875n) & M32;
    value = (value * hash) & M32;
    return value ^ (value >> 16n);
  };
  const mixed = (x: bigint, y: bigint): bigint => {
    const result = (((x * 0xca01f9ddn) & M32) - ((y * 0x4973f715n) & M32)) & M32;
    return result ^ (result >> 16n);
  };
  const pool = [BigInt(seed), 0n, 0n, 0n].map(hashed);
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to] ?? 0n, hashed(pool[from] ?? 0n));
  let state = 0x8b51f9ddn;
  return Array.from({ length: 8 }, (_, i) => {
    let value = (pool[i % 4] ?? 0n) ^ state;
    state = (state * 0x58f38dedn) & M32;
    value = (value * state) & M32;
    return value ^ (value >> 16n);
  });
}

/** A function that draws the same numbers in [0, 1) as `numpy.random.default_rng(seed).random()`. */
export function numpyRandom(seed: number): () => number {
  const words = seedWords(seed);
  const pair = (i: number): bigint => (words[i] ?? 0n) | ((words[i + 1] ?? 0n) << 32n);
  const start = (pair(0) << 64n) | pair(2);
  const increment = (((pair(4) << 64n) | pair(6)) << 1n) | 1n;
  let state = 0n;
  const advance = (): void => {
    state = (state * MULTIPLIER + (increment & M128)) & M128;
  };
  advance();
  state = (state + start) & M128;
  advance();
  return () => {
    advance();
    const folded = ((state >> 64n) ^ state) & M64;
    const turn = state >> 122n;
    const word = ((folded >> turn) | (folded << ((64n - turn) & 63n))) & M64;
    return Number(word >> 11n) / 2 ** 53;
  };
}

/** A small repeatable stream of numbers for decoration. */
export function stream(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 32;
  };
}
