// Runs before everything else, in browsers of any age, and is therefore plain ES5: picks the language of the texts, loads
// the Chinese lesson if needed, and displays a message if this browser cannot run the app.
(function () {
  var root = document.documentElement;
  var address = location.search + location.hash + "&" + (root.getAttribute("data-state") || "");
  var asked = /[?#&]lang=(en|zh)\b/.exec(address);
  var wanted = asked ? asked[1] : (navigator.languages || [navigator.language || "en"]).join();
  var first = /\b(en|zh)\b/i.exec(wanted);
  if (window.parent !== window) root.setAttribute("data-framed", "");
  // The still picture shows the initial state of the bench only.
  if (/[?#&](?!lang=|theme=)[\w-]+=/.test(address)) root.setAttribute("data-linked", "");
  root.lang = first ? first[1].toLowerCase() : "en";

  // The smallest module with a SIMD instruction: i32.const 0, i8x16.splat, drop.
  var simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];
  var able = false;
  try {
    able = WebAssembly.validate(new Uint8Array(simd)) && "noModule" in document.createElement("script");
  } catch (e) {
    // No WebAssembly at all.
  }
  function fail(why) {
    root.setAttribute("data-posenc", "failed");
    root.setAttribute("data-failure", why);
  }
  if (!able) fail("browser");
  // start.mjs, which reports loading failures, may itself fail to load, or scorm.mjs before it. Such an error event does not
  // bubble, so it is captured.
  addEventListener(
    "error",
    function (event) {
      var address = event.target.src;
      if (!address || !/(start|scorm)\.mjs$/.test(address)) return;
      // Browsers load no modules from file: URLs, even if the files exist.
      fail(location.protocol === "file:" ? "file" : "load");
      // Nor do they run modules that are sent with another type.
      var request = new XMLHttpRequest();
      request.open("HEAD", address);
      request.onload = function () {
        if (request.status < 300 && !/javascript/.test(request.getResponseHeader("content-type"))) fail("type");
      };
      request.send();
    },
    true,
  );

  // The lesson's Chinese elements are empty until this code fills them: on the built site their content is a file of its
  // own, and in posenc.html it is compressed with the core (scripts/kit/translation.mjs). In English it is loaded with the
  // first figure of the lesson, so that the language can be changed without a network.
  var carried = root.getAttribute("data-translation") === "carried";
  function loadTranslation() {
    if (!/^(separate|carried|failed)$/.test(root.getAttribute("data-translation"))) return;
    root.setAttribute("data-translation", "loading");
    if (carried) whenParsed(unpackTranslation);
    else readTranslation("lesson.zh.html");
  }
  // Asks the script with the core, which prevents the default of the event if it runs.
  function unpackTranslation() {
    var options = { cancelable: true, detail: { read: readTranslation, fail: insertTranslation } };
    if (document.dispatchEvent(new CustomEvent("posenc:translation", options))) insertTranslation();
  }
  // A way to parse a document on pages whose policy forbids turning strings into markup.
  function readTranslation(address) {
    var request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = request.onerror = function () {
      whenParsed(function () {
        insertTranslation(request.response);
      });
    };
    request.send();
  }
  function whenParsed(work) {
    if (document.readyState !== "loading") work();
    else document.addEventListener("DOMContentLoaded", work);
  }
  function insertTranslation(page) {
    var places = document.querySelectorAll(".lesson :not(span)[lang=zh]:empty");
    var texts = page && page.body ? page.body.children : [];
    var complete = texts.length === places.length;
    for (var i = 0; complete && i < places.length; i++)
      while (texts[i].firstChild) places[i].appendChild(texts[i].firstChild);
    root.setAttribute("data-translation", complete ? "loaded" : "failed");
    document.dispatchEvent(new CustomEvent("posenc:translated"));
  }
  // On a slow connection bench and lesson would delay each other, and layout would delay both. The bench has priority,
  // unless the address contains an anchor in the lesson or the reader scrolls there.
  root.setAttribute("data-first", /[#&][^=&]+(&|$)/.test(location.hash) ? "lesson" : "bench");
  function loadIfDue() {
    if (root.hasAttribute("data-posenc")) root.removeAttribute("data-first");
    if (root.lang === "zh" && root.getAttribute("data-first") !== "bench") loadTranslation();
  }
  function stopWaiting() {
    if (root.getAttribute("data-first") === "bench") root.removeAttribute("data-first");
    loadIfDue();
  }
  addEventListener("scroll", stopWaiting, { once: true });
  if (window.MutationObserver)
    new MutationObserver(loadIfDue).observe(root, { attributes: true, attributeFilter: ["lang", "data-posenc"] });
  else stopWaiting();
  loadIfDue();
  addEventListener("pe-ready", loadTranslation, { once: true });
})();
