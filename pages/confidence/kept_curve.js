/* Accuracy of the cases kept against their share: the sentence follows the point on the line. */
const MARGIN = { left: 34, right: 24, top: 36, bottom: 48 }
// Of a letter, about.
const LETTER = 7
// A share at the axis gives way to the one below the point that is nearer than this.
const NEAR = 38
// The line runs clear of the name below it from so many pixels on.
const CLEAR = 30

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".curve")
  root.send = (index) => setStateValue("level", index)
  updatePicture(root, data, draw)
}

function draw(root) {
  const { data } = root
  const hadFocus = hasFocus(root)
  const width = Math.max(root.clientWidth, 260)
  const scale = createScale(data, width)
  const svg = createSvg(width, data.texts.alt)
  svg.append(...createAxes(data, scale), ...createLines(data, scale))
  const drop = svgElement("line", { class: "drop" })
  const share = svgElement("text", { class: "share", y: scale.bottom + 18, "text-anchor": "middle" })
  const handle = createHandle({
    "aria-label": data.texts.handle,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
  })
  svg.append(drop, share, handle)
  const sentence = element("p", { class: "sentence" })
  root.replaceChildren(sentence, svg)

  function show() {
    const level = data.levels[root.index]
    const x = scale.x(level.share)
    placeHandle(handle, drop, [x, scale.y(level.accuracy)], scale.bottom, level.values.accuracy)
    handle.setAttribute("aria-valuenow", Math.round(100 * level.share))
    handle.setAttribute("aria-valuetext", `${level.values.share}: ${level.values.accuracy}`)
    share.textContent = level.values.share
    share.setAttribute("x", x)
    for (const tick of svg.querySelectorAll(".tick"))
      tick.setAttribute("visibility", Math.abs(tick.dataset.x - x) < NEAR ? "hidden" : "visible")
    const values = Object.fromEntries(
      Object.entries(level.values).map(([name, text]) => [name, strong(text)]),
    )
    sentence.replaceChildren(...fill(data.texts.sentence, values))
  }

  // To the right more cases are kept.
  makeMovable(root, svg, handle, { xs: data.levels.map(({ share }) => scale.x(share)), show, draw })
  show()
  if (hadFocus) handle.focus()
}

function createScale(data, width) {
  const values = [
    data.all,
    ...data.levels.flatMap(({ accuracy, low, high }) => [accuracy, low ?? accuracy, high ?? accuracy]),
  ]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = 0.06 * (high - low || 1)
  const bottom = HEIGHT - MARGIN.bottom
  const right = width - MARGIN.right
  return {
    low: low - room,
    high,
    bottom,
    right,
    x: (share) => MARGIN.left + share * (right - MARGIN.left),
    y: (value) =>
      bottom - ((value - low + room) / (high - low + room || 1)) * (bottom - MARGIN.top),
  }
}

function createAxes(data, scale) {
  const parts = createHeights(scale.low, scale.high, scale.y, MARGIN.left, scale.right)
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const x = scale.x(share)
    parts.push(
      svgElement(
        "g",
        { class: "tick", "data-x": x },
        svgElement("line", { class: "grid", x1: x, x2: x, y1: scale.bottom, y2: scale.bottom + 5 }),
        svgElement("text", { x, y: scale.bottom + 18, "text-anchor": "middle" }, `${100 * share}%`),
      ),
    )
  }
  parts.push(
    svgElement("text", { x: 0, y: 12 }, data.texts.accuracy),
    svgElement("text", { x: (MARGIN.left + scale.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, `${data.texts.share} →`),
  )
  return parts
}

function createLines(data, scale) {
  const path = (points) => pathOf(points.map(([share, value]) => [scale.x(share), scale.y(value)]))
  const points = (levels, name) => levels.map((level) => [level.share, level[name]])
  const banded = data.levels.filter(({ low }) => low !== null)
  // Of few cases there is no band, and the line is dotted.
  const few = data.levels.slice(0, data.levels.length - banded.length + 1)
  const parts = [svgElement("path", { class: "line all", d: path([[0, data.all], [1, data.all]]) })]
  if (banded.length) {
    const around = [...points(banded, "high"), ...points(banded.toReversed(), "low")]
    parts.unshift(svgElement("path", { class: "band", d: `${path(around)}Z` }))
    parts.push(svgElement("path", { class: "line surest", d: path(points(banded, "accuracy")) }))
  }
  parts.push(svgElement("path", { class: "line surest few", d: path(points(few, "accuracy")) }))
  // The name of the dashed line stands above it, unless the other line runs there.
  const end = MARGIN.left + LETTER * data.texts.all.length
  const nearest = Math.min(...data.levels.filter(({ share }) => scale.x(share) < end).map(({ accuracy }) => accuracy))
  const isFree = nearest < data.all || scale.y(data.all) - scale.y(nearest) > CLEAR
  const y = scale.y(data.all) + (isFree ? -8 : 18)
  parts.push(svgElement("text", { class: "all", x: MARGIN.left + 4, y }, data.texts.all))
  return parts
}
