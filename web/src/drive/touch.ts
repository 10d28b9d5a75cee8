// An on-screen stick for thumbs, shown once the page is touched.
import type { Camera } from "../camera";
import { type Intent, wrap } from "./intent";

export function makeStick(stick: HTMLElement, intent: Intent, camera: Camera): void {
  const knob = stick.firstElementChild as HTMLElement;
  let finger: number | null = null;
  const show = (): void => document.documentElement.classList.add("touch");
  if (matchMedia("(pointer: coarse)").matches) show();
  addEventListener("touchstart", show, { once: true, passive: true });

  const move = (event: PointerEvent): void => {
    const box = stick.getBoundingClientRect();
    const reach = box.width / 2;
    let x = (event.clientX - box.left - reach) / reach;
    let y = (event.clientY - box.top - reach) / reach;
    const deflection = Math.hypot(x, y);
    if (deflection > 1) {
      x /= deflection;
      y /= deflection;
    }
    knob.style.transform = `translate(${x * reach * 0.62}px, ${y * reach * 0.62}px)`;
    if (deflection < 0.15) intent.setStick(null);
    // Pushing beyond the rim means faster, as far as thumbs go.
    else intent.setStick({ yaw: wrap(camera.steer - Math.atan2(x, -y)), deflection: Math.min(deflection, 1), fast: deflection > 1.45 });
  };
  stick.addEventListener("pointerdown", (event) => {
    finger = event.pointerId;
    stick.setPointerCapture(finger);
    move(event);
  });
  stick.addEventListener("pointermove", (event) => event.pointerId === finger && move(event));
  const end = (event: PointerEvent): void => {
    if (event.pointerId !== finger) return;
    finger = null;
    knob.style.transform = "";
    intent.setStick(null);
  };
  stick.addEventListener("pointerup", end);
  stick.addEventListener("pointercancel", end);
}
