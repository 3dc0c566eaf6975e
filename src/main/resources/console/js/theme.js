// Runs before the first paint: applies the theme that the reader chose earlier.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('equipoise-theme');
  } catch {
    // Storage may be forbidden; the page then follows the system.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
})();
