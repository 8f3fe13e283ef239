// Builds the pages into the Python package; `npm run dev` shows them with a studio that runs on its usual port.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/deckatlas/studio/pages",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8321" } },
});
