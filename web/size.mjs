// The page promises to stay below 1 MB compressed: say what it weighs, and fail when it breaks the promise.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = new URL("../src/canter/studio/page", import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true })
  .map((name) => join(folder, String(name)))
  .filter((path) => statSync(path).isFile());
const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
console.log(`page: ${files.length} files, ${(bytes / 1024).toFixed(0)} kB compressed`);
if (bytes > 1e6) {
  console.error("the page must stay below 1 MB compressed");
  process.exit(1);
}
