/* Elements made without HTML, so that names of users stay text. */
const SVG = "http://www.w3.org/2000/svg"

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children)
}

function svgElement(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value)
    else if (value !== false && value !== null) node.setAttribute(name, value === true ? "" : value)
  }
  node.append(...children)
  return node
}

/* Fill {places} of a template with text, or with elements: "Ask {n} more" -> ["Ask ", 2, " more"]. */
function fill(template, values) {
  return template
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? (values[part] ?? "") : part))
    .filter((part) => part !== "")
    .map((part) => (part instanceof Node ? part : String(part)))
}

function strong(text) {
  return element("b", {}, String(text))
}

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches
const clamp = (value, low, high) => Math.min(high, Math.max(low, value))
