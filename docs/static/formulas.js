for (const place of document.querySelectorAll("span.math, div.math")) {
  katex.render(place.textContent, place, { displayMode: place.tagName === "DIV", throwOnError: false });
}
