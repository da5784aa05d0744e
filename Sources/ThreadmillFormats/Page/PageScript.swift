/// What the page of a report does beyond being read: the list can be narrowed, and what narrows it
/// stands behind the # of the address, so that it can be sent to others.
enum PageScript {
  /// Knows nothing but the page: every value that it uses stands in an attribute or is text.
  static let source: StaticString = #"""
    "use strict";
    const form = document.getElementById("filters");
    const findings = Array.from(document.querySelectorAll(".finding"));
    const texts = new Map();

    function textOf(finding) {
      if (!texts.has(finding)) texts.set(finding, finding.textContent.toLowerCase());
      return texts.get(finding);
    }

    function fits(finding, wish) {
      for (const name of ["severity", "status", "kind"])
        if (wish.get(name) && finding.dataset[name] !== wish.get(name)) return false;
      const test = wish.get("test");
      if (test && !Array.from(finding.querySelectorAll("[data-test]"), t => t.dataset.test)
        .includes(test)) return false;
      const words = (wish.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
      return words.every(word => textOf(finding).includes(word));
    }

    function narrow() {
      const wish = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (value) wish.set(name, value);
      let shown = 0;
      for (const finding of findings) {
        finding.hidden = !fits(finding, wish);
        if (!finding.hidden) shown += 1;
      }
      form.querySelector("output").textContent =
        shown === findings.length ? "" : `${shown} of ${findings.length} shown`;
      return wish.toString();
    }

    function remember() {
      const wish = narrow();
      history.replaceState(null, "", wish ? "#" + wish : location.pathname + location.search);
    }

    function follow() {
      const target = location.hash.startsWith("#f-") &&
        document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) {
        target.querySelector("details").open = true;
        target.scrollIntoView();
      } else if (form) {
        const wish = new URLSearchParams(location.hash.slice(1));
        for (const field of form.elements) if (field.name) field.value = wish.get(field.name) || "";
        narrow();
      }
    }

    if (form) {
      form.hidden = false;
      form.addEventListener("input", remember);
      form.addEventListener("submit", event => event.preventDefault());
      form.addEventListener("reset", () => setTimeout(remember));
      document.addEventListener("keydown", event => {
        if (event.key !== "/" || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
        event.preventDefault();
        form.elements.q.focus();
      });
    }
    addEventListener("hashchange", follow);
    addEventListener("beforeprint", () => {
      for (const finding of findings)
        if (!finding.hidden) finding.querySelector("details").open = true;
    });
    if (navigator.clipboard)
      for (const line of document.querySelectorAll(".again")) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Copy";
        button.addEventListener("click", () => {
          navigator.clipboard.writeText(line.querySelector("code").textContent);
          button.textContent = "Copied";
        });
        line.append(button);
      }
    follow();
    """#
}
