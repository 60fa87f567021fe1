export default {
  title: "Notes",
  url: "https://example.org",
  baseUrl: "/",
  onBrokenLinks: "throw",
  // Defines <pe-figure> on every page.
  clientModules: ["./src/posenc.js"],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/" }]],
  themes: ["@docusaurus/theme-classic"],
};
