// All texts of the kit, in both languages, and the function that formats them. {name} is a placeholder for a value;
// {name|one|more} is a word whose form depends on a number. tests/web/words.test.mjs checks this for all scripts.

/** Returns an entry in the language of the page, with its placeholders filled. */
export function say(entry, values = {}) {
  const lang = document.documentElement.lang === "zh" ? "zh" : "en";
  return entry[lang].replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name, one, more) => {
    const value = `${values[name]}`;
    if (one === undefined) return value;
    return value === "1" ? one : more;
  });
}

/** The bench and its pictures. */
export const VIEWS = {
  bench: { en: "The whole bench", zh: "整个探索台" },
  heatmap: { en: "Heatmap", zh: "热力图" },
  waves: { en: "Waves", zh: "波形" },
  rotation: { en: "Rotation", zh: "旋转" },
  formula: { en: "Formula", zh: "公式" },
};

/** Labels of controls that have no text of their own. */
export const CONTROLS = {
  play: { en: "Play buttons", zh: "播放按钮" },
  zoom: { en: "Zoom buttons", zh: "缩放按钮" },
  compare: { en: "Pairs to compare", zh: "对比的维度对" },
  reset: { en: "Reset", zh: "重置" },
  link: { en: "Copy link", zh: "复制链接" },
  share: { en: "Share", zh: "分享" },
  lang: { en: "Language", zh: "语言" },
  theme: { en: "Theme", zh: "主题" },
  lesson: { en: "The lesson below", zh: "下方的讲解" },
};

/** The share dialog. */
export const SHARE = {
  share: { en: "Share", zh: "分享" },
  close: { en: "Close", zh: "关闭" },
  preview: { en: "Preview", zh: "预览" },
  what: { en: "What to show", zh: "显示内容" },
  controls: { en: "Controls", zh: "控件" },
  choose: { en: "Choose controls and height", zh: "选择控件和高度" },
  control: { en: "control", zh: "控件" },
  shown: { en: "shown", zh: "显示" },
  locked: { en: "locked", zh: "锁定" },
  everything: { en: "The link and the file, too, show only these", zh: "链接和文件也只显示这些控件" },
  lang: { en: "Language", zh: "语言" },
  browser: { en: "As the reader’s browser", zh: "跟随读者的浏览器" },
  theme: { en: "Theme", zh: "主题" },
  system: { en: "As the reader’s system", zh: "跟随读者的系统" },
  light: { en: "Light", zh: "浅色" },
  dark: { en: "Dark", zh: "深色" },
  projector: { en: "Projector", zh: "投影仪" },
  height: { en: "Height in pixels", zh: "高度（像素）" },
  link: { en: "Link", zh: "链接" },
  iframe: { en: "For a web page or a course (iframe)", zh: "嵌入网页或课程（iframe）" },
  element: { en: "For a web page of your own (element)", zh: "嵌入自己的网页（组件）" },
  more: { en: "As an element, a file or a course package", zh: "组件、离线文件、课程包" },
  file: { en: "Offline file", zh: "离线文件" },
  fileWords: {
    en: "One file that opens in this state and needs no network.",
    zh: "单个文件，打开即为当前状态，无需联网。",
  },
  download: { en: "Download", zh: "下载" },
  open: { en: "Open", zh: "打开" },
  copy: { en: "Copy", zh: "复制" },
  copied: { en: "Copied", zh: "已复制" },
  refused: {
    en: "The browser blocked copying. The text is selected: press {keys}",
    zh: "浏览器不允许复制。文字已选中，请按 {keys}",
  },
  byFrame: {
    en: "This is embedded as an iframe; the element shows one figure.",
    zh: "此内容只能用 iframe 嵌入；组件一次只显示一幅图。",
  },
  missing: {
    en: "Set on the bench but unknown to the element: {names}. The iframe has it.",
    zh: "组件不支持已更改的设置 {names}，请改用 iframe。",
  },
  nowhere: {
    en: "This copy is not on the web. Put it beside your page as posenc.html: the iframe looks for it there.",
    zh: "这个文件没有网址。请把它以 posenc.html 为名放在你的网页旁边，iframe 会从那里读取。",
  },
  framed: {
    en: "If no file arrives, the page around this one does not allow it: open the link in a tab of its own.",
    zh: "如果没有收到文件，说明外层网页不允许下载，请在新标签页中打开链接。",
  },
  failed: { en: "The file could not be loaded. Is there a network?", zh: "文件加载失败，请检查网络。" },
  course: { en: "Course package (SCORM 1.2)", zh: "课程包（SCORM 1.2）" },
  courseWords: {
    en: "For Moodle, Canvas or Blackboard: a zip file that opens in this state and reports the score of a worksheet, and where the reader was.",
    zh: "供 Moodle、Canvas、Blackboard 使用的 zip 文件，打开即为当前状态，会上报练习单的得分和学习位置。",
  },
  making: { en: "Making the package…", zh: "正在生成课程包……" },
  courseFile: {
    en: "This copy is one file, from which no package can be made. A copy on the web makes it; in a copy of the source this command does.",
    zh: "这个副本是单个文件，无法生成课程包。请用放在网上的副本生成，或在源代码目录中运行这条命令。",
  },
  courseFailed: {
    en: "The files of this page could not be read, so there is no package. In a copy of the source this command makes it.",
    zh: "读取不到本页的文件，无法生成课程包。可以在源代码目录中运行这条命令。",
  },
  code: { en: "QR code", zh: "二维码" },
  codeOf: { en: "QR code of the link {link}", zh: "链接 {link} 的二维码" },
  codeWords: { en: "A phone’s camera opens the link.", zh: "用手机扫一扫即可打开链接。" },
  codeCopy: { en: "Copy as SVG", zh: "复制为 SVG" },
  codeRefused: { en: "The browser blocked copying. Save the code instead.", zh: "浏览器不允许复制，请改为保存。" },
  codeSave: { en: "Save as SVG", zh: "保存为 SVG" },
  codeLong: {
    en: "This link is too long for a QR code that phones can read. Fewer settings or steps make it shorter.",
    zh: "链接太长，生成的二维码手机难以识别。减少设置或步骤可以缩短链接。",
  },
  codeFile: {
    en: "This copy is a file, which no phone can open by a link. A copy on the web has a QR code.",
    zh: "这个副本是本地文件，手机无法通过链接打开。放到网上之后才有二维码。",
  },
  codeLocal: {
    en: "The link is one of this computer alone: a phone cannot open it.",
    zh: "这个链接只在这台电脑上有效，手机打不开。",
  },
  saved: { en: "Saved as {name}", zh: "已保存为 {name}" },
  labelled: { en: "{what}: {which}", zh: "{what}：{which}" },
};

/** The save dialog. */
export const SAVE = {
  title: { en: "Save", zh: "保存" },
  close: { en: "Close", zh: "关闭" },
  picture: { en: "Picture", zh: "图" },
  which: { en: "Which", zh: "哪一幅" },
  png: { en: "{width} × {height} pixels", zh: "{width} × {height} 像素" },
  svg: { en: "lines and real text, for print", zh: "矢量线条与真实文字，适合印刷" },
  noPicture: { en: "This figure has no picture.", zh: "这幅图没有可保存的画面。" },
  moving: { en: "Moving picture", zh: "动图" },
  sweep: { en: "What changes", zh: "变化的参数" },
  from: { en: "from", zh: "从" },
  to: { en: "to", zh: "到" },
  step: { en: "by", zh: "步长" },
  delay: { en: "seconds a frame", zh: "每帧秒数" },
  across: { en: "Width", zh: "宽度" },
  pixels: { en: "{width} pixels wide", zh: "宽 {width} 像素" },
  frames: {
    en: "{frames} {frames|frame|frames}, {seconds} {seconds|second|seconds}, then from the beginning again.",
    zh: "共 {frames} 帧，{seconds} 秒，循环播放。",
  },
  noFrames: {
    en: "Numbers within the limits of the setting, and at most {most} frames.",
    zh: "请输入参数允许范围内的数值，最多 {most} 帧。",
  },
  gif: { en: "256 colours, for slides", zh: "256 色，适合幻灯片" },
  apng: { en: "all colours, for web pages", zh: "全彩色，适合网页" },
  noMotion: { en: "This figure has no number that could change.", zh: "这幅图没有可以连续变化的数值。" },
  left: {
    en: "Set on the bench, but not in the moving picture: {names}.",
    zh: "以下设置在探索台上已更改，但不会体现在动图里：{names}。",
  },
  notDrawn: { en: "the figure could not be drawn", zh: "图未能绘制" },
  table: { en: "Table", zh: "数据表" },
  learned: { en: "The table as it has been learned so far.", zh: "目前学到的表。" },
  rows: {
    en: "The encoding of {positions} {positions|position|positions} in {dimensions} {dimensions|dimension|dimensions}, whichever part of it is shown.",
    zh: "{positions} 个位置、{dimensions} 个维度的完整编码，与当前显示的局部无关。",
  },
  csv: { en: "text, for spreadsheets", zh: "文本，可用电子表格打开" },
  npy32: { en: "32-bit floats, numpy.load", zh: "32 位浮点数，用 numpy.load 读取" },
  npy64: { en: "64-bit floats, numpy.load", zh: "64 位浮点数，用 numpy.load 读取" },
  noTable: { en: "This figure is not about one table.", zh: "这幅图讲的不是一张表。" },
  noTableHere: {
    en: "This encoding has no table, or one too large to be stored here.",
    zh: "这种编码没有表，或者表太大，这里存不下。",
  },
  measurements: { en: "Measurements", zh: "测量结果" },
  measured: { en: "losses or accuracies so far", zh: "到目前为止的损失或准确率" },
  about: { en: "about {size}", zh: "约 {size}" },
  tooLarge: {
    en: "{size}: a browser is asked for 512 MB at most. The command line has no limit.",
    zh: "{size}：在浏览器中最多写 512 MB，命令行没有这个限制。",
  },
  saving: { en: "Writing {name}", zh: "正在写入 {name}" },
  cancel: { en: "Cancel", zh: "取消" },
  cancelled: { en: "Cancelled.", zh: "已取消。" },
  done: {
    en: "{name} is written. If nothing was saved, this page is shown inside another one that does not allow downloads: open it by itself.",
    zh: "{name} 已写好。如果没有保存下来，说明本页嵌在不允许下载的页面里，请单独打开本页。",
  },
  failed: { en: "That did not work: {why}", zh: "未能完成：{why}" },
};

/** Presentations. */
export const PRESENT = {
  region: { en: "Presentation", zh: "演示" },
  back: { en: "Step before", zh: "上一步" },
  on: { en: "Next step", zh: "下一步" },
  keep: { en: "Keep", zh: "保留" },
  keepLong: { en: "Keep this state as a step", zh: "把当前状态存为一步" },
  steps: { en: "Steps", zh: "步骤" },
  notes: { en: "Notes", zh: "备注" },
  blocked: {
    en: "The browser has blocked the speaker’s window. Allow pop-ups for this page and press n, or Notes, again.",
    zh: "浏览器拦截了演讲者窗口。请允许本页弹出窗口，然后再按 n 或“备注”。",
  },
  controls: { en: "Controls", zh: "控件" },
  ring: { en: "Pointer", zh: "指针" },
  black: { en: "Black", zh: "黑屏" },
  full: { en: "Full screen", zh: "全屏" },
  keys: { en: "Keys", zh: "按键" },
  leave: { en: "Leave", zh: "退出" },
  none: {
    en: "No steps are kept yet. Press m, or Keep, in a state that you want to show.",
    zh: "还没有步骤。调到想展示的状态后按 m 或“保留”。",
  },
  last: { en: "This is the last step", zh: "已是最后一步" },
  first: { en: "This is the first step", zh: "已是第一步" },
  long: { en: "The list of steps is full", zh: "步骤列表已满" },
  refused: { en: "Full screen is not possible here; the figure fills the window.", zh: "此处无法全屏，图已铺满窗口。" },
  dark: { en: "Black screen: any key ends it", zh: "黑屏：按任意键恢复" },
  link: { en: "Copy link to this presentation", zh: "复制此演示的链接" },
  up: { en: "Move up", zh: "上移" },
  down: { en: "Move down", zh: "下移" },
  remove: { en: "Remove", zh: "删除" },
  close: { en: "Close", zh: "关闭" },
  lost: {
    en: "steps: {count} {count|entry|entries} of the address {count|is|are} not understood and left out",
    zh: "steps：地址中有 {count} 项无法识别，已忽略",
  },
  kept: { en: "Kept as step {step}", zh: "已存为第 {step} 步" },
  moved: { en: "Now step {step}", zh: "现为第 {step} 步" },
  removed: { en: "Step {step} removed", zh: "已删除第 {step} 步" },
  ofStep: { en: "{act} {step}", zh: "{act} {step}" },
};

/** The speaker's window. */
export const SPEAKER = {
  title: { en: "Speaker’s notes", zh: "演讲者备注" },
  notes: { en: "Notes", zh: "备注" },
  write: { en: "Write here; the link to this presentation keeps it.", zh: "在此输入备注，随演示链接一起保存。" },
  keepFirst: { en: "Keep a state as a step (m) to write a note on it.", zh: "先把状态存为一步（按 m），再写备注。" },
  long: { en: "The link would become too long: this is not kept.", zh: "链接会过长，未能保存。" },
  at: { en: "{step} / {count} · {name}", zh: "{step} / {count} · {name}" },
  free: { en: "Between steps", zh: "不在步骤中" },
  next: { en: "Next: {name}", zh: "下一步：{name}" },
  none: { en: "No step follows.", zh: "后面没有步骤了。" },
  elapsed: { en: "Elapsed", zh: "已用时" },
  ofStep: { en: "This step", zh: "本步骤" },
  picture: { en: "What the audience sees", zh: "观众看到的画面" },
  reset: { en: "Reset clock", zh: "重新计时" },
  back: { en: "Step before", zh: "上一步" },
  on: { en: "Next step", zh: "下一步" },
};

/** The table as numbers. */
export const NUMBERS = {
  none: { en: "This encoding has no table here.", zh: "这种编码在此处没有数值表。" },
  caption: {
    en: "{rows} of {positions} {positions|position|positions} (rows), {columns} of {dimensions} {dimensions|dimension|dimensions} (columns)",
    zh: "{positions} 个位置中的 {rows} 个（行），{dimensions} 个维度中的 {columns} 个（列）",
  },
  position: { en: "position", zh: "位置" },
  all: { en: "All of it as CSV or NPY", zh: "下载整张表（CSV、NPY）" },
};

/** Messages at the bottom of the window. */
export const PAGE = {
  dismiss: { en: "Dismiss", zh: "关闭" },
  copied: { en: "Copied", zh: "已复制" },
  byHand: { en: "The browser blocks copying: press {keys}", zh: "浏览器不允许自动复制，请按 {keys}" },
};

/** The sheet with keyboard shortcuts. */
export const KEYS = {
  title: { en: "Keys", zh: "按键" },
  close: { en: "Close", zh: "关闭" },
  areOn: { en: "Single letters and signs are keys", zh: "启用单键快捷键（单个字母和符号）" },
  onPage: { en: "On the page", zh: "页面" },
  present: { en: "Present the figure that has the focus, or the bench", zh: "演示焦点所在的图；没有则演示探索台" },
  keepFromPage: { en: "Keep this state as a step of the presentation", zh: "把当前状态存为演示的一步" },
  sheet: { en: "This sheet", zh: "本按键表" },
  inPresentation: { en: "In a presentation", zh: "演示时" },
  nextStep: { en: "Next step; without steps, the figure goes on by one", zh: "下一步；没有步骤时，图前进一格" },
  stepBefore: { en: "Step before", zh: "上一步" },
  ends: { en: "First and last step", zh: "第一步、最后一步" },
  keepStep: { en: "Keep this state as a step", zh: "把当前状态存为一步" },
  list: { en: "List of steps", zh: "步骤列表" },
  notes: { en: "Speaker’s window: notes, next step, clock", zh: "演讲者窗口：备注、下一步、计时" },
  controls: { en: "Controls", zh: "控件" },
  ring: { en: "Ring around the pointer", zh: "指针光圈" },
  black: { en: "Black screen; any key ends it", zh: "黑屏；按任意键恢复" },
  full: { en: "Full screen", zh: "全屏" },
  leave: { en: "Leave: everything is as before", zh: "退出，一切恢复原样" },
  inList: { en: "In the list of steps", zh: "步骤列表中" },
  another: { en: "Another step", zh: "选择步骤" },
  move: { en: "Move it", zh: "移动该步骤" },
  show: { en: "Show it", zh: "显示该步骤" },
  remove: { en: "Remove it", zh: "删除该步骤" },
  onPicture: { en: "On a picture", zh: "图中" },
  cell: {
    en: "Another cell, position or pair; with Shift by ten",
    zh: "移动单元格、位置或维度对；加 Shift 一次移动十格",
  },
  positions: { en: "First and last position", zh: "第一个、最后一个位置" },
  zoom: {
    en: "Zoom in, zoom out, show everything (heatmap and waves of the bench)",
    zh: "放大、缩小、显示全部（探索台的热力图和波形）",
  },
  offset: { en: "Change k (dial and words)", zh: "改变 k（表盘和词）" },
  onScrollBar: { en: "On a scroll bar of the heatmap", zh: "热力图的滚动条上" },
  tenth: { en: "A tenth of what is seen", zh: "移动可见范围的十分之一" },
  screen: { en: "All of what is seen", zh: "移动一整屏" },
};
