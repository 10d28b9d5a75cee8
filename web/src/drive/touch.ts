// A stick for thumbs. It shows itself once somebody touches the page.
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
    const push = Math.hypot(x, y);
    if (push > 1) {
      x /= push;
      y /= push;
    }
    knob.style.transform = `translate(${x * reach * 0.62}px, ${y * reach * 0.62}px)`;
    if (push < 0.15) intent.push(null);
    // Pushing beyond the rim means faster, as far as thumbs go.
    else intent.push({ yaw: wrap(camera.steer - Math.atan2(x, -y)), push: Math.min(push, 1), fast: push > 1.45 });
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
    intent.push(null);
  };
  stick.addEventListener("pointerup", end);
  stick.addEventListener("pointercancel", end);
}
