// The keyboard. Driving keys go by position (WASD is elsewhere on other layouts), the others by their letter.
import { Intent, isJump, type Move } from "./intent";

const MOVES: Record<string, Move> = {
  ArrowUp: "up",
  KeyW: "up",
  ArrowDown: "down",
  KeyS: "down",
  ArrowLeft: "left",
  KeyA: "left",
  ArrowRight: "right",
  KeyD: "right",
  KeyQ: "stepLeft",
  KeyE: "stepRight",
};

/** Functions of letters besides driving. */
export type Letters = Record<string, () => void>;

/** Whether an element uses the keys itself. */
function usesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

const isButton = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(BUTTON|A|SUMMARY)$/.test(target.tagName) || target.role === "button");

export function listenToKeys(intent: Intent, letters: Letters, act: (place: number) => void): void {
  // An arrow and a letter may be held for the same move; it ends when both are released.
  const down = new Map<string, Move>();

  addEventListener("keydown", (event) => {
    intent.fast = event.shiftKey;
    intent.slowKey = event.ctrlKey;
    if (event.metaKey || event.altKey || (usesKeys(event.target) && event.key !== "Escape")) return;
    const role = event.target instanceof HTMLElement ? event.target.role : null;
    if ((role === "tab" || role === "slider") && event.code.startsWith("Arrow")) return;
    const move = MOVES[event.code];
    // Ctrl with a letter is the browser's; with an arrow it means slowly.
    if (event.ctrlKey && !event.code.startsWith("Arrow")) return;
    if (move) {
      event.preventDefault();
      if (!event.repeat) {
        down.set(event.code, move);
        intent.press(move, event.timeStamp);
      }
      return;
    }
    if (event.repeat) return;
    const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
    if (digit && event.shiftKey) return intent.keepGaitNumber(Number(digit[1]));
    if (digit && digit[1] !== "0") return act(Number(digit[1]) - 1);
    if (event.key === " " || event.key === "Enter") {
      if (isButton(event.target) || event.key === "Enter") return;
      event.preventDefault();
      return act(-1);
    }
    const action = letters[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  addEventListener("keyup", (event) => {
    intent.fast = event.shiftKey;
    intent.slowKey = event.ctrlKey;
    const move = down.get(event.code);
    down.delete(event.code);
    if (move && ![...down.values()].includes(move)) intent.release(move, event.timeStamp);
  });

  const releaseAll = (): void => {
    down.clear();
    intent.fast = intent.slowKey = false;
    intent.releaseAll();
  };
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", () => document.hidden && releaseAll());
}

/** The action behind a number key, or behind Space (-1): the first that is a jump, else the first of all. */
export function actionAt(intent: Intent, place: number): string | null {
  const actions = intent.capabilities?.actions ?? [];
  if (place >= 0) return actions[place] ?? null;
  return actions.find(isJump) ?? actions[0] ?? null;
}
