// Rendering quality by what this machine can draw: without a graphics card the processor draws everything.

export interface Quality {
  antialias: boolean;
  anisotropy: number;
  ratio: number;
  shadow: number;
  soft: boolean;
  /** Whether the resolution is lowered when drawing is slow. */
  adapts: boolean;
}

const GOOD: Quality = { antialias: true, anisotropy: 8, ratio: 2, shadow: 2048, soft: true, adapts: true };
const PLAIN: Quality = { antialias: false, anisotropy: 1, ratio: 0.8, shadow: 512, soft: false, adapts: true };

export function quality(): Quality {
  // `?quality=good` is for screenshots, where speed does not matter.
  if (new URLSearchParams(location.search).get("quality") === "good") return { ...GOOD, adapts: false };
  const probe = document.createElement("canvas").getContext("webgl2");
  const about = probe?.getExtension("WEBGL_debug_renderer_info");
  const name = probe && about ? String(probe.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name) ? PLAIN : GOOD;
}
