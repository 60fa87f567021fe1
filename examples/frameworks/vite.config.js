import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";

const pages = ["react", "vue", "svelte", "preact"];

export default {
  // The templates' compiler takes <pe-figure> for a component otherwise.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("pe-") } } }), svelte()],
  // The server of `npm run dev` would move the module away from its WebAssembly.
  optimizeDeps: { exclude: ["posenc"] },
  base: "./",
  build: {
    rollupOptions: { input: Object.fromEntries(pages.map((page) => [page, `${import.meta.dirname}/${page}.html`])) },
  },
};
