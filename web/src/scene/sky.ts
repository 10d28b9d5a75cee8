// A morning sky with clouds and far hills, drawn on a sphere around the camera.
import { BackSide, CanvasTexture, Color, LinearFilter, Mesh, RepeatWrapping, ShaderMaterial, SphereGeometry, type Vector3 } from "three";
import { lcg } from "./lcg";

/** The colour of the mist at the horizon. */
export const HORIZON = new Color("#c9d4c4");

/** The upper end of the clouds, as the y of a unit vector. */
const CEILING = 0.5;

/** A panorama of clouds as whiteness: heaps of soft puffs on a level base, smaller and lower far away. */
function clouds(): CanvasTexture {
  const [width, height] = [2048, 512];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const g = canvas.getContext("2d");
  if (!g) throw new Error("this browser has no 2D canvas");
  g.fillStyle = "#000";
  g.fillRect(0, 0, width, height);
  const random = lcg(11);
  const upright = (height / CEILING / width) * 6.28;
  const [count, puffs] = [34, 46];
  for (let i = 0; i < count; i++) {
    const base = 0.075 + 0.3 * random() ** 1.7;
    const size = (0.1 + 0.55 * base) * (0.5 + random());
    const middle = 6.28 * ((i + 0.7 * random()) / count);
    for (let k = 0; k < puffs; k++) {
      const along = random() + random() - 1;
      const r = size * (0.1 + 0.2 * random()) * (1 - 0.75 * Math.abs(along));
      const up = base + r * 0.5 * random();
      for (const wrapped of [-6.28, 0, 6.28]) {
        const x = ((middle + along * size + wrapped) / 6.28) * width;
        if (x < -200 || x > width + 200) continue;
        g.setTransform(1, 0, 0, 0.62 * upright, x, height * (1 - up / CEILING));
        const px = (r / 6.28) * width;
        const fill = g.createRadialGradient(0, 0, 0, 0, 0, px);
        fill.addColorStop(0, "rgb(255 255 255 / 0.2)");
        fill.addColorStop(1, "rgb(255 255 255 / 0)");
        g.fillStyle = fill;
        // The base is level: nothing hangs far below it.
        g.fillRect(-px, -px, 2 * px, 1.35 * px);
      }
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = RepeatWrapping;
  texture.generateMipmaps = false;
  texture.minFilter = LinearFilter;
  return texture;
}

export function makeSky(sun: Vector3): Mesh {
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    fog: false,
    uniforms: {
      clouds: { value: clouds() },
      sun: { value: sun.clone().normalize() },
      mist: { value: HORIZON },
      horizon: { value: new Color("#e9efe9") },
      zenith: { value: new Color("#5f9ccb") },
      far: { value: new Color("#b4c8d2") },
      near: { value: new Color("#98b3a0") },
    },
    vertexShader: `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      varying vec3 way;
      uniform sampler2D clouds;
      uniform vec3 sun, mist, horizon, zenith, far, near;
      void main() {
        vec3 d = normalize(way);
        vec3 colour = mix(horizon, zenith, pow(clamp(d.y * 1.35, 0.0, 1.0), 0.6));
        float glow = max(dot(d, sun), 0.0);
        colour += vec3(1.0, 0.86, 0.62) * (0.16 * pow(glow, 8.0) + 0.5 * pow(glow, 350.0));
        float a = atan(d.x, d.z);
        float white = texture2D(clouds, vec2(a / 6.2832, d.y / ${CEILING})).r;
        vec3 cloud = mix(vec3(0.86, 0.90, 0.93), vec3(1.0, 0.985, 0.95), white);
        colour = mix(colour, cloud, 0.85 * smoothstep(0.12, 0.85, white) * smoothstep(0.03, 0.1, d.y) * step(d.y, ${CEILING}));
        float ridge = 0.042 + 0.016 * sin(a * 3.0 + 1.0) + 0.009 * sin(a * 7.0) + 0.004 * sin(a * 17.0 + 2.0);
        float hill = 0.020 + 0.010 * sin(a * 4.0 + 4.0) + 0.006 * sin(a * 9.0 + 1.0) + 0.002 * sin(a * 31.0);
        // Woods on the nearer hills.
        hill += 0.0016 * abs(sin(a * 143.0) + sin(a * 89.0 + 2.0)) * smoothstep(0.0, 0.5, sin(a * 5.0 + 2.0));
        colour = mix(colour, mix(mist, far, smoothstep(-0.01, 0.045, d.y)), 1.0 - smoothstep(ridge - 0.0015, ridge + 0.0015, d.y));
        colour = mix(colour, mix(mist, near, smoothstep(-0.004, 0.022, d.y)), 1.0 - smoothstep(hill - 0.0012, hill + 0.0012, d.y));
        gl_FragColor = vec4(colour, 1.0);
        #include <colorspace_fragment>
      }`,
  });
  const sky = new Mesh(new SphereGeometry(400, 32, 20), material);
  sky.frustumCulled = false;
  sky.renderOrder = -1;
  return sky;
}
