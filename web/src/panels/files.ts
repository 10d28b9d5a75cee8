// Dropped files, and downloads.
import type { State } from "../state";

export const KINDS = [".glb", ".gltf", ".bvh", ".fbx", ".npz", ".json", ".txt", ".canter", ".bin", ".png", ".jpg", ".jpeg", ".labels.csv"];
/** As many as the server accepts. */
const MAX_FILES = 40;
const MAX_FOLDER_DEPTH = 4;

/** The dropped files; of a folder and its subfolders, those of known kinds. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  // Entries must be read before the first await: the transfer is empty afterwards.
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
  } else if (entry.isDirectory && depth < MAX_FOLDER_DEPTH) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length || into.length > MAX_FILES) return;
      for (const one of some) await collect(one, into, depth + 1);
    }
  }
}

/** Downloads a blob under a name. */
export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Downloads the target of a link. Unlike the link alone this shows that it is busy, or why it failed. */
export async function fetchFile(link: HTMLAnchorElement, state: State): Promise<void> {
  if (link.getAttribute("aria-busy") === "true") return;
  link.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(((await answer.json()) as { error: string }).error);
    download(await answer.blob(), link.download);
  } catch (error) {
    const lost = error instanceof TypeError || error instanceof SyntaxError;
    state.notify(lost || !(error instanceof Error) ? "The server could not be reached." : error.message, "error");
  } finally {
    link.removeAttribute("aria-busy");
  }
}
