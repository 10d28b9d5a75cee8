// Files that come in by a drop and go out by a link.
import type { State } from "../state";

export const KINDS = [".glb", ".gltf", ".bvh", ".fbx", ".npz", ".json", ".txt", ".canter", ".bin", ".png", ".jpg", ".jpeg"];
const MOST = 40;
const DEEPEST = 4;

/** What was dropped; of a folder, and of folders in it, the files that may belong to an animal. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  // Entries have to be asked for before anything is waited for: the drop is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: File[] = [];
  for (const entry of entries) if (entry) await collect(entry, found, 0);
  return found;
}

async function collect(entry: FileSystemEntry, into: File[], depth: number): Promise<void> {
  if (entry.isFile) {
    if (depth && !KINDS.some((kind) => entry.name.toLowerCase().endsWith(kind))) return;
    into.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
  } else if (entry.isDirectory && depth < DEEPEST) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length || into.length > MOST) return;
      for (const one of some) await collect(one, into, depth + 1);
    }
  }
}

/** Has the browser keep something under a name. */
export function keep(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Downloads what a link leads to. Unlike the link alone this can say that it takes a while, or why it fails. */
export async function fetchFile(link: HTMLAnchorElement, state: State): Promise<void> {
  if (link.getAttribute("aria-busy") === "true") return;
  link.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(((await answer.json()) as { error: string }).error);
    keep(await answer.blob(), link.download);
  } catch (error) {
    const lost = error instanceof TypeError || error instanceof SyntaxError;
    state.say(lost || !(error instanceof Error) ? "The server could not be reached." : error.message, "error");
  } finally {
    link.removeAttribute("aria-busy");
  }
}
