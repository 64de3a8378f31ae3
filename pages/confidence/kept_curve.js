/* Accuracy of the cases kept against their share: the sentence follows the point on the line. */
const MARGIN = { left: 46, right: 128, top: 26, bottom: 48 }
// A share at the axis gives way to the one below the point that is nearer than this.
const NEAR = 38

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
      tick.setAttribute("visibility", Math.abs(tick.getAttribute("x") - x) < NEAR ? "hidden" : "visible")
    const values = Object.fromEntries(
      Object.entries(level.values).map(([name, text]) => [name, strong(text)]),
    )
    sentence.replaceChildren(...fill(data.texts.sentence, values))
  }

  // To the right fewer cases are kept, which are surer.
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
    x: (share) => right - share * (right - MARGIN.left),
    y: (value) =>
      bottom - ((value - low + room) / (high - low + room || 1)) * (bottom - MARGIN.top),
  }
}

function createAxes(data, scale) {
  const parts = createHeights(scale.low, scale.high, scale.y, MARGIN.left, scale.right)
  for (const share of [1, 0.75, 0.5, 0.25, 0]) {
    const x = scale.x(share)
    parts.push(
      svgElement("line", { class: "grid", x1: x, x2: x, y1: scale.bottom, y2: scale.bottom + 5 }),
      svgElement("text", { class: "tick", x, y: scale.bottom + 18, "text-anchor": "middle" }, `${100 * share}%`),
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
  const surest = data.levels.map(({ share, accuracy }) => [share, accuracy])
  const banded = data.levels.filter(({ low }) => low !== null)
  const band = [
    ...banded.map(({ share, high }) => [share, high]),
    ...banded.toReversed().map(({ share, low }) => [share, low]),
  ]
  const lines = [
    ["all", [[1, data.all], [0, data.all]]],
    ["surest", surest],
  ]
  const parts = lines.map(([name, points]) =>
    svgElement("path", { class: `line ${name}`, d: path(points) }),
  )
  if (band.length) parts.unshift(svgElement("path", { class: "band", d: `${path(band)}Z` }))
  const ends = lines.map(([name, points]) => ({
    class: name,
    y: scale.y(points.at(-1)[1]),
    text: data.texts[name],
  }))
  return [...parts, ...createEndNames(ends, scale.right + 8, scale.bottom)]
}
