import { defineConfig } from "vite";

// `make page` builds into the Python package; `npm run dev` serves the page and passes the rest on to a running studio.
const studio = process.env.CANTER_STUDIO ?? "http://127.0.0.1:8765";

export default defineConfig({
  base: "./",
  build: { outDir: "../src/canter/studio/page", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 900 },
  server: { proxy: { "/api": studio, "/ws": { target: studio, ws: true } } },
});
