/* A measure at every value of a parameter: the ring is dragged to another value, the sentence
   follows, and the parameter has the value once the ring is let go. */
const MARGIN = { left: 52, right: 30, top: 36, bottom: 51 }
// Of the width, at most, for the names of lines; in a narrower picture they stand below it.
const NAMES_SHARE = 0.34
const NARROW = 520
const STAR = "M0-9L2.6-2.9L9-2.6L4-1.5e-1L5.6 7.3L0 3.4L-5.6 7.3L-4-1.5e-1L-9-2.6L-2.6-2.9Z"
const [LETTER, NEAR, BESIDE] = [7.5, 30, 28]
// From the ends of the lines to their names.
const LEAD = 26
// Dots on a line, and where they are nearer to each other than this.
const [DOT, SMALL_DOT, CROWDED] = [3.5, 2.2, 9]

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".curve")
  root.send = (index) => setTriggerValue("value", root.data.levels[index].text)
  updatePicture(root, data, draw)
}

function draw(root) {
  const { data } = root
  const hadFocus = hasFocus(root)
  const width = Math.max(root.clientWidth, 260)
  const scale = createScale(data, width)
  const points = data.levels.map(({ x, mean }) => [scale.x(x), scale.y(mean)])
  const xs = points.map(([x]) => x)
  const svg = createSvg(width, data.texts.alt)
  const drop = svgElement("line", { class: "drop" })
  const handle = createHandle({
    "aria-label": data.texts.handle,
    "aria-valuemin": 0,
    "aria-valuemax": points.length - 1,
  })
  const [bestX, bestY] = [scale.x(data.best.x), scale.y(data.best.mean)]
  const best = svgElement("text", { class: "best" }, data.texts.best)
  svg.append(...createAxes(data, scale), ...createLine(data, points, scale), drop, handle, best)
  const sentence = element("p", { class: "sentence" })
  root.replaceChildren(sentence, svg, ...(scale.isNarrow ? [createKey(data)] : []))

  function show() {
    const level = data.levels[root.index]
    placeHandle(handle, drop, points[root.index], scale.bottom, level.text)
    // A long text stays within the picture.
    const half = (LETTER * level.text.length) / 2 + 8
    const x = xs[root.index]
    handle.querySelector("text").setAttribute("x", clamp(x, half, width - half) - x)
    handle.classList.toggle("worse", !level.isGood)
    handle.setAttribute("aria-valuenow", root.index)
    handle.setAttribute("aria-valuetext", `${level.text}: ${level.values.mean}`)
    if (!placeAtEnd(best, data, bestY, xs[root.index], scale)) placeBest(best, [bestX, bestY], xs[root.index], scale)
    const values = Object.fromEntries(
      Object.entries(level.values).map(([name, text]) => [name, strong(text)]),
    )
    sentence.replaceChildren(...fill(data.texts.sentence, values), level.comparison)
  }

  makeMovable(root, svg, handle, { xs, show, draw })
  lightUp(root)
  show()
  if (hadFocus) handle.focus()
}

// Above the end of the dashed line, where neither an interval nor the ring is.
function placeAtEnd(best, { levels, others }, y, ringX, scale) {
  const start = scale.right - LETTER * best.textContent.length - NEAR
  const isFree = levels.every(({ x, mean, high }) => scale.x(x) < start || scale.y(high ?? mean) > y)
  if (others.length || ringX > start || !isFree) return false
  for (const [name, value] of Object.entries({ x: scale.right, y: y - 6, "text-anchor": "end" }))
    best.setAttribute(name, value)
  return true
}

// Above the star, or beside it where the value above the ring needs the room.
function placeBest(best, [x, y], ringX, scale) {
  const width = LETTER * best.textContent.length
  const isNear = Math.abs(ringX - x) < (NEAR + width) / 2
  const isLeft = x < ringX || x + width + BESIDE > scale.right
  // A long one stands above the value of the ring where there is no room beside it.
  const isAbove = isNear && isLeft && x - width - BESIDE < MARGIN.left
  const anchor = !isNear || isAbove ? "middle" : isLeft ? "end" : "start"
  const shift = { middle: 0, end: -BESIDE, start: BESIDE }[anchor]
  const center = anchor === "middle" ? clamp(x, width / 2, scale.right - width / 2) : x + shift
  const rise = isAbove ? 46 : isNear ? 8 : 18
  for (const [name, value] of Object.entries({ x: center, y: y - rise, "text-anchor": anchor }))
    best.setAttribute(name, value)
}

function createScale(data, width) {
  const heights = [
    ...data.levels.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]),
    ...data.others.flatMap(({ points }) => points.map(([, mean]) => mean)),
  ]
  const [least, most] = [Math.min(...heights), Math.max(...heights)]
  const room = 0.05 * (most - least) || 0.05
  const [low, high] = [least - room, most + room]
  const [first, last] = [data.levels[0].x, data.levels.at(-1).x]
  const longest = Math.max(...[data.texts.own, ...data.others.map(({ name }) => name)].map(({ length }) => length))
  const isNarrow = data.others.length > 0 && width < NARROW
  const names = data.others.length && !isNarrow ? Math.min(LETTER * longest + LEAD, NAMES_SHARE * width) : MARGIN.right
  const lines = Math.max(...data.ticks.map(({ text }) => text.split("<br>").length))
  const [right, bottom] = [width - names, HEIGHT - MARGIN.bottom - 15 * (lines - 1)]
  const left = MARGIN.left + 12
  return {
    low,
    high,
    bottom,
    right,
    isNarrow,
    letters: Math.floor((names - LEAD) / LETTER),
    x: (x) => left + ((x - first) / (last - first || 1)) * (right - left),
    y: (value) => bottom - ((value - low) / (high - low)) * (bottom - MARGIN.top),
  }
}

function createAxes(data, scale) {
  const ticks = []
  let next = Infinity
  // From the right, because what is no number stands there and must have its text.
  for (const { x, text } of data.ticks.toReversed()) {
    const lines = text.split("<br>")
    const half = (LETTER * Math.max(...lines.map(({ length }) => length))) / 2
    if (scale.x(x) + half > next) continue
    next = scale.x(x) - half - 4
    lines.forEach((line, i) =>
      ticks.push(
        svgElement("text", { x: scale.x(x), y: scale.bottom + 20 + 15 * i, "text-anchor": "middle" }, line),
      ),
    )
  }
  return [
    ...createHeights(scale.low, scale.high, scale.y, MARGIN.left, scale.right),
    svgElement("text", { x: 0, y: 12 }, data.texts.measure),
    ...ticks,
    svgElement(
      "text",
      { x: (MARGIN.left + scale.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" },
      data.texts.parameter,
    ),
  ]
}

function createLine(data, points, scale) {
  const parts = [svgElement("path", { class: "line", d: pathOf(points) })]
  const { levels } = data
  // The intervals of neighbouring values are estimated apart: a bar each, and no band.
  const gap = (points.at(-1)[0] - points[0][0]) / Math.max(points.length - 1, 1)
  const barWidth = clamp(0.5 * gap, 1.5, 5)
  const intervals = levels.flatMap(({ low, high, isGood }, i) =>
    low === null
      ? []
      : [
          svgElement("line", {
            class: isGood ? "interval" : "interval worse",
            x1: points[i][0],
            x2: points[i][0],
            y1: scale.y(low),
            y2: scale.y(high),
            "stroke-width": barWidth,
          }),
        ],
  )
  parts.unshift(...intervals)
  const kind = ({ isBest }) => (isBest ? "other of-best" : "other")
  const others = data.others.map(({ points, isBest }, i) =>
    svgElement("path", {
      class: `line ${kind({ isBest })}`,
      "data-line": i,
      d: pathOf(points.map(([x, mean]) => [scale.x(x), scale.y(mean)])),
    }),
  )
  // Two lines matter, the one in use and that of the best value: the others have their names when pointed at.
  const names = data.others.map(({ name, points, isBest }, i) => ({
    class: kind({ isBest }),
    line: i,
    y: scale.y(points.at(-1)[1]),
    text: shorten(name, scale.letters),
  }))
  const own = { class: "own", y: points.at(-1)[1], text: shorten(data.texts.own, scale.letters) }
  const inSight = [own, ...names.filter((name) => name.class.includes("of-best"))]
  const hidden = names.filter((name) => !inSight.includes(name))
  const bestY = scale.y(data.best.mean)
  return [
    ...others,
    ...parts,
    svgElement("line", { class: "line best-mean", x1: MARGIN.left, x2: scale.right, y1: bestY, y2: bestY }),
    ...(names.length && !scale.isNarrow
      ? [inSight, ...hidden.map((name) => [name])].flatMap((group) =>
          createEndNames(group, scale.right + LEAD, scale.bottom, LEAD),
        )
      : []),
    ...points.map(([cx, cy], i) => svgElement("circle", { class: levels[i].isGood ? "dot" : "dot worse", cx, cy, r: gap < CROWDED ? SMALL_DOT : DOT })),
    svgElement("path", {
      class: "best",
      d: STAR,
      transform: `translate(${scale.x(data.best.x)} ${scale.y(data.best.mean)})`,
    }),
  ]
}

/* A line and its name stand out together when the pointer is on either. */
function lightUp(root) {
  const parts = [...root.querySelectorAll("[data-line]")]
  for (const part of parts)
    for (const [event, isLit] of [["pointerenter", true], ["pointerleave", false]])
      part.addEventListener(event, () => {
        root.classList.toggle("lit", isLit)
        for (const other of parts) other.classList.toggle("lit", isLit && other.dataset.line === part.dataset.line)
      })
}

// The names of the lines that matter, in a narrow picture.
function createKey(data) {
  const entry = (kind, name) => element("span", { class: kind }, name)
  return element(
    "p",
    { class: "key", "aria-hidden": "true" },
    entry("own", data.texts.own),
    ...data.others.filter(({ isBest }) => isBest).map(({ name }) => entry("of-best", name)),
  )
}

const shorten = (text, letters) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text)
