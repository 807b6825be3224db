// Light, dark, or as the system has it. The choice stays in this browser.
const KEY = "mindfile.theme";
const ORDER = ["auto", "light", "dark"];
const SYMBOLS = { auto: "auto", light: "sun", dark: "moon" };
const WORDS = { auto: "as the system", light: "light", dark: "dark" };

function stored() {
  try {
    const theme = localStorage.getItem(KEY);
    return ORDER.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

let theme = stored();

export const symbol = () => SYMBOLS[theme];
export const brief = () => ({ auto: "Auto", light: "Light", dark: "Dark" })[theme];
export const words = () => `Colours: ${WORDS[theme]}`;

export function apply() {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function next() {
  theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  apply();
}
