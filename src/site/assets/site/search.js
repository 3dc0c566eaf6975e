// Search over search-index.js with lunr. The index is built when the reader first enters the field.
const unescape = document.createElement("textarea");
const plain = (html) => {
  unescape.innerHTML = html;
  return unescape.value;
};
const root = document.body.dataset.root;
const query = document.getElementById("query");
const results = document.getElementById("results");
let index;

function build() {
  index ??= lunr(function () {
    this.ref("path");
    this.field("title", { boost: 10 });
    this.field("text");
    for (const page of pages) {
      this.add({ path: page.path, title: plain(page.title), text: plain(page.text) });
    }
  });
}

function excerpt(text, words) {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, (found.length ? Math.min(...found) : 0) - 60);
  return (start > 0 ? "… " : "") + text.slice(start, start + 160) + " …";
}

function show() {
  const words = query.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  results.replaceChildren();
  results.hidden = words.length === 0;
  if (results.hidden) {
    return;
  }
  const hits = index.query((q) => {
    for (const word of words) {
      q.term(lunr.tokenizer(word), { boost: 2 });
      q.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    }
  });
  for (const hit of hits.slice(0, 12)) {
    const page = pages.find((candidate) => candidate.path === hit.ref);
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + page.path;
    link.textContent = plain(page.title);
    const text = document.createElement("p");
    text.textContent = excerpt(plain(page.text), words);
    item.append(link, text);
    results.append(item);
  }
  if (hits.length === 0) {
    const item = document.createElement("li");
    item.textContent = "No page contains these words.";
    results.append(item);
  }
}

query.addEventListener("focus", build);
query.addEventListener("input", () => {
  build();
  show();
});
query.form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    results.hidden = true;
  } else if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
