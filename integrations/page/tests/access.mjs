// What people who hear the page, or who have no mouse, need: names, an order of headings, contrast, and fields that say
// what they are. Runs inside the page and returns what is wrong.
export function wrongs() {
  const found = [];
  const seen = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const words = (element) => (element.textContent ?? "").trim();
  const where = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${[...element.classList].join(".")} "${words(element).slice(0, 40)}"`;
  const named = (element) => element.getAttribute("aria-label") || words(element) || element.getAttribute("title")
    || (element.labels?.length && [...element.labels].map(words).join("")) || (element.getAttribute("aria-labelledby") && words(document.getElementById(element.getAttribute("aria-labelledby"))));
  const tell = (rule, element) => found.push(`${rule}: ${where(element)}`);

  for (const element of document.querySelectorAll("a[href], button, [role='button'], summary")) if (!named(element)) tell("no name", element);
  for (const element of document.querySelectorAll("input, select, textarea")) if (!named(element) || (!element.labels?.length && !element.getAttribute("aria-label"))) tell("field without a label", element);
  for (const element of document.querySelectorAll("svg:not([aria-hidden='true'])")) if (!element.getAttribute("aria-label")) tell("picture without a name", element);
  for (const element of document.querySelectorAll("[role='img']")) if (!element.getAttribute("aria-label")) tell("image without a name", element);
  for (const element of document.querySelectorAll("[aria-hidden='true'] :is(a, button, input, [tabindex='0'])")) tell("hidden but in the order of the tab key", element);
  for (const element of document.querySelectorAll("[tabindex]")) if (Number(element.getAttribute("tabindex")) > 0) tell("an order of its own", element);
  for (const name of ["aria-labelledby", "aria-describedby", "for"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) if (!document.getElementById(element.getAttribute(name))) tell(`${name} names nothing`, element);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids.filter((one, index) => ids.indexOf(one) !== index)) found.push(`id twice: ${id}`);
  for (const element of document.querySelectorAll("ol, ul")) for (const child of element.children) if (child.tagName !== "LI") tell("not an item of its list", child);
  if (!document.documentElement.lang) found.push("no language");
  if (document.querySelectorAll("main").length !== 1) found.push("not one main");

  const headings = [...document.querySelectorAll("main :is(h1,h2,h3,h4)")].filter((element) => element.checkVisibility());
  if (headings.filter((element) => element.tagName === "H1").length !== 1) found.push(`${headings.filter((element) => element.tagName === "H1").length} headings of the first rank`);
  headings.forEach((element, index) => {
    const before = index ? Number(headings[index - 1].tagName[1]) : 0;
    if (Number(element.tagName[1]) > before + 1) tell(`heading after rank ${before}`, element);
  });

  const colour = (text) => {
    const parts = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return text.startsWith("color(") ? [parts[0] * 255, parts[1] * 255, parts[2] * 255, parts[3] ?? 1] : [parts[0], parts[1], parts[2], parts[3] ?? 1];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => { const v = value / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a] = colour(getComputedStyle(at).backgroundColor);
      if (a > 0.99) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !element || !seen(element) || element.closest(".unseen, svg, noscript, option, script")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(colour(style.color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) tell(`contrast ${ratio.toFixed(2)}`, element);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) found.push(`wider than the window by ${document.documentElement.scrollWidth - document.documentElement.clientWidth}`);
  return [...new Set(found)];
}
