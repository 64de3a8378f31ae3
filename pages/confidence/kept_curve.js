/* Accuracy of the cases kept against their share: a point on the line is dragged or moved by keys,
   and the sentence follows. The value is sent once the point is let go. */
const HEIGHT = 340
const MARGIN = { left: 46, right: 104, top: 26, bottom: 64 }
const REST_MS = 400
const LINE_HEIGHT = 16

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".kept-curve")
  root.send = setStateValue
  // What arrives while the point is held is drawn once it is let go.
  if (root.held) {
    root.waiting = data
    return
  }
  start(root, data)
}

function start(root, data) {
  root.data = data
  root.index = data.index
  root.resizing?.disconnect()
  root.resizing = new ResizeObserver(() => draw(root))
  root.resizing.observe(root)
  draw(root)
}

function draw(root) {
  const { data } = root
  const hadFocus = root.getRootNode().activeElement?.classList.contains("handle")
  const width = Math.max(root.clientWidth, 260)
  const scale = createScale(data, width)
  const svg = svgElement("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: "group",
    "aria-label": data.texts.alt,
  })
  svg.append(...createAxes(data, scale, width), ...createLines(data, scale))
  const drop = svgElement("line", { class: "drop" })
  const share = svgElement("text", { y: scale.bottom + 18, "text-anchor": "middle" })
  const value = svgElement("text", { y: -18, "text-anchor": "middle" })
  const handle = svgElement(
    "g",
    {
      class: "handle",
      role: "slider",
      tabindex: 0,
      "aria-label": data.texts.handle,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    svgElement("circle", { class: "halo", r: 17 }),
    svgElement("circle", { r: 10 }),
    value,
  )
  svg.append(drop, share, handle)
  const sentence = element("p", { class: "sentence" })
  root.replaceChildren(sentence, svg)

  function show() {
    const level = data.levels[root.index]
    const [x, y] = [scale.x(level.share), scale.y(level.accuracy)]
    handle.setAttribute("transform", `translate(${x} ${y})`)
    handle.setAttribute("aria-valuenow", Math.round(100 * level.share))
    handle.setAttribute("aria-valuetext", `${level.values.share}: ${level.values.accuracy}`)
    for (const [name, place] of Object.entries({ x1: x, x2: x, y1: y, y2: scale.bottom }))
      drop.setAttribute(name, place)
    value.textContent = level.values.accuracy
    share.textContent = level.values.share
    share.setAttribute("x", x)
    const values = Object.fromEntries(
      Object.entries(level.values).map(([name, text]) => [name, strong(text)]),
    )
    sentence.replaceChildren(...fill(data.texts.sentence, values), level.interval)
  }

  function moveTo(index) {
    root.index = clamp(index, 0, data.levels.length - 1)
    show()
  }

  function release(after = 0) {
    clearTimeout(root.timer)
    root.timer = setTimeout(() => {
      root.held = false
      const { waiting } = root
      root.waiting = null
      if (root.index !== data.index) {
        data.index = root.index
        root.send("level", root.index)
      } else if (waiting) start(root, waiting)
    }, after)
  }

  function nearest(event) {
    const box = svg.getBoundingClientRect()
    const x = ((event.clientX - box.left) * width) / box.width
    const far = data.levels.map((level) => Math.abs(scale.x(level.share) - x))
    return far.indexOf(Math.min(...far))
  }

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return
    svg.setPointerCapture(event.pointerId)
    clearTimeout(root.timer)
    root.held = true
    moveTo(nearest(event))
  })
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) moveTo(nearest(event))
  })
  svg.addEventListener("pointerup", () => release())
  svg.addEventListener("pointercancel", () => release())
  handle.addEventListener("keydown", (event) => {
    // To the right fewer cases are kept, which are surer.
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity }
    if (!(event.key in steps)) return
    event.preventDefault()
    root.held = true
    moveTo(root.index + steps[event.key])
    release(REST_MS)
  })
  show()
  if (hadFocus) handle.focus()
}

function createScale(data, width) {
  const values = [
    data.random,
    ...data.best.map(([, accuracy]) => accuracy),
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

function createAxes(data, scale, width) {
  const parts = []
  for (const value of ticks(scale.low, scale.high)) {
    const y = scale.y(value)
    parts.push(
      svgElement("line", { class: "grid", x1: MARGIN.left, x2: scale.right, y1: y, y2: y }),
      svgElement("text", { x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, value.toFixed(2)),
    )
  }
  for (const share of [1, 0.5])
    parts.push(
      svgElement("line", { class: "grid", x1: scale.x(share), x2: scale.x(share), y1: scale.bottom, y2: scale.bottom + 5 }),
    )
  parts.push(
    svgElement("text", { x: 0, y: 12 }, data.texts.accuracy),
    svgElement("text", { x: MARGIN.left, y: scale.bottom + 36, "text-anchor": "middle" }, "100%"),
    svgElement("text", { x: (MARGIN.left + scale.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, `${data.texts.share} →`),
    svgElement("text", { x: scale.right, y: scale.bottom + 36, "text-anchor": "middle" }, "0%"),
  )
  return parts
}

function createLines(data, scale) {
  const path = (points) => `M${points.map(([share, value]) => `${scale.x(share)} ${scale.y(value)}`).join("L")}`
  const surest = data.levels.map(({ share, accuracy }) => [share, accuracy])
  const banded = data.levels.filter(({ low }) => low !== null)
  const band = [
    ...banded.map(({ share, high }) => [share, high]),
    ...banded.toReversed().map(({ share, low }) => [share, low]),
  ]
  const lines = [
    ["random", [[1, data.random], [0, data.random]]],
    ["best", data.best],
    ["surest", surest],
  ]
  const parts = lines.map(([name, points]) =>
    svgElement("path", { class: `line ${name}`, d: path(points) }),
  )
  if (band.length) parts.unshift(svgElement("path", { class: "band", d: `${path(band)}Z` }))
  // Names at the ends of the lines, moved apart where these meet.
  const ends = lines
    .map(([name, points]) => ({ name, y: scale.y(points.at(-1)[1]) }))
    .sort((a, b) => a.y - b.y)
  ends.forEach((end, i) => {
    if (i) end.y = Math.max(end.y, ends[i - 1].y + LINE_HEIGHT)
  })
  const over = Math.max(0, ends.at(-1).y - scale.bottom)
  return [
    ...parts,
    ...ends.map(({ name, y }) =>
      svgElement("text", { class: `end ${name}`, x: scale.right + 8, y: y - over + 4 }, data.texts[name]),
    ),
  ]
}

function ticks(low, high) {
  const rough = (high - low) / 4 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(0.01, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough))
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step)
}
