// A morning sky with far hills, drawn on a sphere around the camera.
import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry, type Vector3 } from "three";

/** The mist in which meadow and hills end. */
export const HORIZON = new Color("#c2cfbd");

export function makeSky(sun: Vector3): Mesh {
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    fog: false,
    uniforms: {
      sun: { value: sun.clone().normalize() },
      mist: { value: HORIZON },
      horizon: { value: new Color("#e2e9e4") },
      zenith: { value: new Color("#82b0d2") },
      far: { value: new Color("#b9c9cb") },
      near: { value: new Color("#a3b8a6") },
    },
    vertexShader: `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      varying vec3 way;
      uniform vec3 sun, mist, horizon, zenith, far, near;
      void main() {
        vec3 d = normalize(way);
        vec3 colour = mix(horizon, zenith, pow(clamp(d.y * 1.25, 0.0, 1.0), 0.62));
        float glow = max(dot(d, sun), 0.0);
        colour += vec3(1.0, 0.86, 0.62) * (0.16 * pow(glow, 8.0) + 0.5 * pow(glow, 350.0));
        float a = atan(d.x, d.z);
        float ridge = 0.042 + 0.016 * sin(a * 3.0 + 1.0) + 0.009 * sin(a * 7.0) + 0.004 * sin(a * 17.0 + 2.0);
        float hill = 0.020 + 0.010 * sin(a * 4.0 + 4.0) + 0.006 * sin(a * 9.0 + 1.0) + 0.002 * sin(a * 31.0);
        colour = mix(colour, mix(mist, far, smoothstep(-0.01, 0.04, d.y)), 1.0 - smoothstep(ridge - 0.002, ridge + 0.002, d.y));
        colour = mix(colour, mix(mist, near, smoothstep(-0.004, 0.02, d.y)), 1.0 - smoothstep(hill - 0.002, hill + 0.002, d.y));
        gl_FragColor = vec4(colour, 1.0);
        #include <colorspace_fragment>
      }`,
  });
  const sky = new Mesh(new SphereGeometry(400, 32, 20), material);
  sky.frustumCulled = false;
  sky.renderOrder = -1;
  return sky;
}
