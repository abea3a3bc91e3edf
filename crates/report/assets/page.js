
// Light and dark: as the system says, until the button says otherwise. Nothing is stored.
const themeButton = document.querySelector("[data-theme-toggle]");
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : darkSystem.matches;
}

function nameTheme() {
  themeButton.textContent = isDark() ? "Light" : "Dark";
  themeButton.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
}

themeButton.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
darkSystem.addEventListener("change", nameTheme);
nameTheme();

// Paper cannot be unfolded: everything is open while printing.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});

root.dataset.ready = "true";
performance.mark("wayveil-ready");
