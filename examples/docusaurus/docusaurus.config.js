export default {
  title: "Notes",
  url: "https://example.org",
  baseUrl: "/",
  onBrokenLinks: "throw",
  // Makes <pe-figure> an element of every page.
  clientModules: ["./src/posenc.js"],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/" }]],
  themes: ["@docusaurus/theme-classic"],
};
