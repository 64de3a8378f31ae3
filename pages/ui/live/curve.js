/* A curve with a point that one drags, or moves by keys, from level to level. What is chosen is sent
   once the point is let go; what arrives meanwhile is drawn after that. */
const HEIGHT = 340
const LINE_HEIGHT = 16
const REST_MS = 400
const KEY_STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity }

function updatePicture(root, data, draw) {
  if (root.held) root.waiting = data
  else startPicture(root, data, draw)
}

function startPicture(root, data, draw) {
  root.data = data
  root.index = data.index
  root.resizing?.disconnect()
  root.resizing = new ResizeObserver(() => draw(root))
  root.resizing.observe(root)
  draw(root)
}

const hasFocus = (root) => Boolean(root.getRootNode().activeElement?.classList.contains("handle"))

function createSvg(width, alt) {
  return svgElement("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": alt })
}

function createHandle(attributes) {
  return svgElement(
    "g",
    { class: "handle", role: "slider", tabindex: 0, ...attributes },
    svgElement("circle", { class: "halo", r: 17 }),
    svgElement("circle", { r: 10 }),
    svgElement("circle", { class: "core", r: 4 }),
    svgElement("path", { class: "arrows", d: "M-14-5L-20 0L-14 5ZM14-5L20 0L14 5Z" }),
    svgElement("text", { y: -18, "text-anchor": "middle" }),
  )
}

function placeHandle(handle, drop, [x, y], bottom, text) {
  handle.setAttribute("transform", `translate(${x} ${y})`)
  handle.querySelector("text").textContent = text
  for (const [name, value] of Object.entries({ x1: x, x2: x, y1: y, y2: bottom }))
    drop.setAttribute(name, value)
}

/* Let the handle move to the levels, which lie at `xs`; `show` draws the one at `root.index`. */
function makeMovable(root, svg, handle, { xs, show, draw }) {
  function moveTo(index) {
    root.index = clamp(index, 0, xs.length - 1)
    show()
  }

  function release(after = 0) {
    clearTimeout(root.timer)
    root.timer = setTimeout(() => {
      root.held = false
      const { waiting, data } = root
      root.waiting = null
      if (root.index !== data.index) {
        data.index = root.index
        root.send(root.index)
      } else if (waiting) startPicture(root, waiting, draw)
    }, after)
  }

  function nearest(event) {
    const box = svg.getBoundingClientRect()
    const x = ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width
    const far = xs.map((level) => Math.abs(level - x))
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
    if (!(event.key in KEY_STEPS)) return
    event.preventDefault()
    root.held = true
    moveTo(root.index + KEY_STEPS[event.key])
    release(REST_MS)
  })
}

/* Lines across at round numbers, with these beside them. */
function createHeights(low, high, y, left, right) {
  const rough = (high - low) / 6 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(0.001, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough))
  const digits = step < 0.01 ? 3 : step < 1 ? 2 : 0
  const first = Math.ceil(low / step)
  const values = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step)
  return values.flatMap((value) => [
    svgElement("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
    svgElement("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(digits)),
  ])
}

const pathOf = (points) => `M${points.map((point) => point.join(" ")).join("L")}`

/* Names at the right ends of lines, moved apart where these meet: each has class, y and text, and
   `line` to know its line by. One that was moved is led to from the end of its line, `lead` pixels off. */
function createEndNames(names, x, bottom, lead = 0) {
  const placed = names.toSorted((a, b) => a.y - b.y).map((name) => ({ ...name, end: name.y }))
  placed.forEach((name, i) => {
    if (i) name.y = Math.max(name.y, placed[i - 1].y + LINE_HEIGHT)
  })
  const over = Math.max(0, placed.at(-1).y - bottom)
  return placed.flatMap((name) => {
    const y = name.y - over
    const marks = { style: name.style ?? null, "data-line": name.line ?? null }
    const parts = [svgElement("text", { class: `end ${name.class}`, x, y: y + 4, ...marks }, name.text)]
    if (lead && Math.abs(y - name.end) > 2)
      parts.push(svgElement("path", { class: `lead ${name.class}`, d: `M${x - lead} ${name.end}L${x - 3} ${y}`, ...marks }))
    return parts
  })
}
