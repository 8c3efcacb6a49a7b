// A form for the options of a game, made from what the server says of them.

import { el } from "./dom.js";

/** Fields for all options but `players`; those that take a document get a text area. */
export function optionFields(info) {
  return info.options.filter((option) => option.name !== "players").map(field);
}

function field(option) {
  const id = `option-${option.name}`;
  const name = option.name.replaceAll("_", " ");
  const hint = el("span", { class: "hint", id: `${id}-hint` }, option.doc);
  const common = {
    id,
    "data-option": option.name,
    "data-kind": option.kind,
    "aria-describedby": `${id}-hint`,
  };
  if (option.kind === "bool") {
    return el(
      "label",
      { class: "field check" },
      el("input", { type: "checkbox", checked: option.default === true, ...common }),
      name,
      hint,
    );
  }
  if (option.kind === "choice") {
    const choices = option.choices.map((choice) =>
      el("option", { value: choice, selected: choice === option.default }, choice.replaceAll("_", " ")),
    );
    return el("label", { class: "field" }, name, el("select", common, ...choices), hint);
  }
  if (option.kind === "int") {
    const { minimum, maximum } = option;
    return el(
      "label",
      { class: "field" },
      name,
      el("input", { type: "number", min: minimum, max: maximum, step: 1, value: option.default, ...common }),
      hint,
    );
  }
  return el(
    "label",
    { class: "field" },
    `${name} (JSON)`,
    el("textarea", { rows: 3, spellcheck: "false", ...common }),
    hint,
  );
}

/** What was chosen, without what is left at its default. */
export function optionValues(place, info) {
  const chosen = {};
  for (const option of info.options) {
    const node = place.querySelector(`[data-option="${option.name}"]`);
    if (!node) continue;
    const value = read(node, option);
    if (value !== undefined && value !== option.default) chosen[option.name] = value;
  }
  return chosen;
}

function read(node, option) {
  if (option.kind === "bool") return node.checked;
  if (option.kind === "choice") return node.value;
  if (node.value.trim() === "") return undefined;
  if (option.kind === "int") return Number(node.value);
  try {
    return JSON.parse(node.value);
  } catch (error) {
    throw new Error(`${option.name} is not JSON: ${error.message}.`);
  }
}
