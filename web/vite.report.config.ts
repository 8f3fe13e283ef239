// Builds the page of reports into the Python package, as one file: `deckatlas report` puts the answers into it.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** Puts the script and the style sheet into the page, with a policy that allows these two and nothing else. */
function inOneFile(): Plugin {
  return {
    name: "in-one-file",
    generateBundle: {
      order: "post", // after everything of Vite's own
      async handler(_, bundle) {
        const files = Object.values(bundle);
        const script = files.find((file) => file.type === "chunk");
        const style = files.find((file) => file.type === "asset" && file.fileName.endsWith(".css"));
        const page = files.find((file) => file.type === "asset" && file.fileName.endsWith(".html"));
        if (files.length !== 3 || script?.type !== "chunk" || style?.type !== "asset" || page?.type !== "asset")
          throw new Error(
            `a report is one page, one script and one style sheet: ${files.map((file) => file.fileName)}`,
          );
        // Nothing in a script may look like its end, or like a comment of HTML.
        const code = script.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
        const css = String(style.source);
        const policy = `default-src 'none'; script-src ${await hashOf(code)}; style-src ${await hashOf(css)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
        const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
        page.source = String(page.source)
          .replace(/\s*<script type="module"[^>]*><\/script>/, "")
          .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
          .replace('<meta charset="utf-8" />', (found) => `${found}\n    ${head}`)
          .replace("</head>", () => `<style>${css}</style>\n  </head>`)
          .replace("</body>", () => `<script type="module">${code}</script>\n  </body>`);
        delete bundle[script.fileName];
        delete bundle[style.fileName];
      },
    },
  };
}

export default defineConfig({
  plugins: [svelte(), inOneFile()],
  build: {
    outDir: "../src/deckatlas/views",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rollupOptions: { input: "report.html", output: { inlineDynamicImports: true } },
  },
});
