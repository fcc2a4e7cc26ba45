/* The search: entries that have every word, the best first, by words and by symbols in any spelling. They are fetched
   when the search is first opened. */
(function () {
  "use strict";

  const MOST = 12;
  const NAMES = "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta κ kappa λ lambda μ mu " +
    "ν nu ξ xi π pi ρ rho σ sigma τ tau φ phi ϕ phi χ chi ψ psi ω omega ϵ epsilon";
  const GREEK = Object.fromEntries(Array.from(NAMES.matchAll(/(\S) (\w+)/gu), ([, letter, name]) => [letter, name]));
  const DIGITS = "₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹";
  let loading = null;
  let prepared = new Map();

  /* A text as it is compared: I_{13}, I₁₃ and I13 are one, and so are ε, \varepsilon and epsilon. */
  function normal(text) {
    return text.toLowerCase()
      .replace(/[₀-₉⁰¹²³⁴-⁹]/g, (digit) => DIGITS.indexOf(digit) % 10)
      .replace(/[α-ωϕϵ]/g, (letter) => GREEK[letter] || letter)
      .replace(/\\?var(epsilon|theta|phi|rho)/g, "$1")
      .replace(/[\\{}_^$]/g, "")
      .replace(/[’']/g, "'");
  }

  /* How well words fit a text, the larger the better; 0 if one of them is missing. */
  function fit(text, words) {
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    const levels = words.map((word) => {
      if (!text.includes(word)) return 0;
      if (parts[0] === word) return 4;
      if (parts.includes(word)) return 3;
      return parts.some((part) => part.startsWith(word)) ? 2 : 1;
    });
    return levels.includes(0) ? 0 : levels.reduce((sum, level) => sum + level, 0);
  }

  /* How well an entry fits: by its label, else by that and further words that the page does not show. */
  function merit({ value, label }, words) {
    const [own, whole] = prepared.get(value) || [normal(label), normal(label)];
    return 10 * fit(own, words) || fit(whole, words);
  }

  /* The best entries, each in its group; the group of the best one comes first. */
  function everyWord({ options, search, limit }) {
    const words = normal(search).split(/\s+/).filter(Boolean);
    const all = options.flatMap(({ items }) => items);
    const scored = all.map((item, i) => ({ value: item.value, i, score: words.length ? merit(item, words) : 1 })).filter((one) => one.score);
    scored.sort((one, other) => other.score - one.score || one.i - other.i);
    const rank = new Map(scored.slice(0, limit || MOST).map(({ value }, i) => [value, i]));
    return options.map((group) => ({ ...group, items: group.items.filter(({ value }) => rank.has(value)).toSorted((one, other) => rank.get(one.value) - rank.get(other.value)) }))
      .filter(({ items }) => items.length)
      .toSorted((one, other) => rank.get(one.items[0].value) - rank.get(other.items[0].value));
  }

  /* The entries, once; what could not be fetched is asked for again at the next opening. */
  function load(address) {
    if (loading) return loading;
    loading = window.fetch(address, { credentials: "same-origin", headers: { Accept: "application/json" } })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error("no entries"))))
      .then((groups) => {
        prepared = new Map(groups.flatMap(({ items }) => items.map(({ value, label, more }) => [value, [normal(label), normal(label + " " + (more || ""))]])));
        const data = groups.map(({ group, items }) => ({ group, items: items.map(({ value, label }) => ({ value, label })) }));
        window.dash_clientside.set_props("found", { data, placeholder: "Labs, figures, corrections, results, equations, parameters" });
      })
      .catch(() => {
        loading = null;
        window.dash_clientside.set_props("found", { placeholder: "The entries could not be loaded. Open the search again." });
      });
    return loading;
  }

  window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, { everyWord });
  window.nhviz = Object.assign(window.nhviz || {}, { search: { everyWord, fit, load, normal } });
})();
