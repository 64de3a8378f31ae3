/* All cases on a map or in the plane of two features: marks in the colour and shape of the label
   that comes first, the neighbours numbered and joined to the case, a card for what is pointed at. */
const SHAPES = [
  (r, x, y) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (r, x, y) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r, x, y) => `M${x} ${y - 1.25 * r}l${1.15 * r} ${2.1 * r}h${-2.3 * r}z`,
  (r, x, y) => `M${x} ${y - 1.3 * r}l${1.3 * r} ${1.3 * r}l${-1.3 * r} ${1.3 * r}l${-1.3 * r} ${-1.3 * r}z`,
  (r, x, y) => `M${x - 1.2 * r} ${y - 0.8 * r}h${2.4 * r}l${-1.2 * r} ${2.05 * r}z`,
]
const POINT_RADIUS = 4.2
// Cases of one label share some paths: a path a case takes a slow phone seconds. Cases of one path do
// not shine through each other, so neighbours in the data go to different ones.
const PATHS_OF_LABEL = 8
const NUMBERED = 9
const MOST_NAMED = 8
const REACH = 24
// Pixels between the centres of marks with numbers that touch, and the golden angle.
const BADGE_DISTANCE = 25
const TURN = 2.4
const RING = 3
const ROUNDS = 80

// Move marks apart until all, and the case, are a distance from each other.
function spread(places, own, distance) {
  const moved = places.map((place) => [...place])
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = [...moved.map((place) => [...place]), own]
    let isApart = true
    moved.forEach((place, i) => {
      before.forEach((other, j) => {
        if (i === j) return
        let [dx, dy] = [before[i][0] - other[0], before[i][1] - other[1]]
        const length = Math.hypot(dx, dy)
        // The case has a ring around it.
        const least = j === moved.length ? distance + RING : distance
        if (length >= least) return
        isApart = false
        // A mark at the place of another has no direction away from it: it takes one of its own.
        ;[dx, dy] = length ? [dx / length, dy / length] : [Math.cos(TURN * i), Math.sin(TURN * i)]
        const share = (least - length) * (j === moved.length ? 1 : 0.5)
        place[0] += share * dx
        place[1] += share * dy
      })
    })
    if (isApart) break
  }
  return moved
}

function createPlane({ data, labels, onChoose, describe }) {
  const { plane, neighbors } = data
  const shapeOf = (label) => SHAPES[label < 0 ? 0 : label % SHAPES.length]
  const colorOf = (label) => (label < 0 ? "var(--no-label)" : `var(--label-${label})`)
  const [width, height] = plane.size
  const svg = svgElement("svg", {
    class: "plane-picture",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    tabindex: "0",
    "aria-label": data.texts.plane_alt,
  })
  for (const ring of plane.outline) {
    const path = `M${ring.map((point) => point.join(" ")).join("L")}Z`
    svg.append(svgElement("path", { class: "land-edge", d: path }))
  }
  for (const ring of plane.outline) {
    const path = `M${ring.map((point) => point.join(" ")).join("L")}Z`
    svg.append(svgElement("path", { class: "land", d: path }))
  }
  const layers = new Map()
  plane.points.forEach(([x, y], i) => {
    const label = plane.first[i]
    const layer = `${i % PATHS_OF_LABEL} ${label}`
    if (!layers.has(layer)) layers.set(layer, { label, outlines: [] })
    layers.get(layer).outlines.push(shapeOf(label)(POINT_RADIUS, x, y))
  })
  for (const { label, outlines } of layers.values()) {
    const marks = svgElement("path", { class: "points", d: outlines.join("") })
    marks.style.fill = colorOf(label)
    svg.append(marks)
  }
  for (const row of data.offered ?? []) {
    if (row === data.row) continue
    const [x, y] = plane.points[plane.rows ? plane.rows.indexOf(row) : row]
    svg.append(svgElement("circle", { class: "offered", cx: x, cy: y, r: 9 }))
  }
  const joins = svgElement("g", { class: "joins" })
  const badges = svgElement("g", { class: "badges" })
  const own = svgElement(
    "g",
    { class: "own", transform: `translate(${plane.own[0]} ${plane.own[1]})` },
    svgElement("circle", { class: "own-halo", r: 15 }),
    svgElement("circle", { class: "own-mark", r: 11 }),
    svgElement("text", { y: 1 }, "?"),
  )
  const ring = svgElement("circle", { class: "pointed", r: 9 })
  svg.append(joins, badges, own, ring)
  let enlarged = 1
  let nShown = neighbors.length
  // Marks with numbers stand apart, each joined to where its case lies.
  function placeBadges() {
    const numbered = neighbors.slice(0, Math.min(nShown, NUMBERED)).map(({ place }) => place)
    spread(numbered, plane.own, BADGE_DISTANCE * enlarged).forEach(([x, y], i) => {
      const [trueX, trueY] = neighbors[i].place
      marks[i].badge.setAttribute("transform", `translate(${x} ${y})`)
      marks[i].leader.setAttribute("d", `M${trueX} ${trueY}L${x} ${y}`)
    })
  }
  // Marks with numbers have one size, however small the picture is drawn.
  new ResizeObserver(() => {
    const scale = Math.min(svg.clientWidth / width, svg.clientHeight / height)
    if (!scale) return
    enlarged = Math.max(1, 1 / scale)
    svg.style.setProperty("--enlarged", enlarged)
    placeBadges()
  }).observe(svg)
  const marks = neighbors.map((neighbor, i) => {
    const [x, y] = neighbor.place
    const isLarge = i < NUMBERED
    const line = svgElement("line", {
      x1: plane.own[0],
      y1: plane.own[1],
      x2: x,
      y2: y,
      pathLength: 1,
    })
    const badge = svgElement("g", { transform: `translate(${x} ${y})` })
    const mark = svgElement("path", { d: shapeOf(neighbor.first)(isLarge ? 9.5 : 6.5, 0, 0) })
    mark.style.fill = colorOf(neighbor.first)
    badge.append(mark)
    if (isLarge) {
      const number = svgElement("text", { y: 0.5 }, String(i + 1))
      number.style.fill = neighbor.first < 0 ? "var(--paper)" : `var(--ink-${neighbor.first})`
      badge.append(number)
    }
    const leader = svgElement("path", { class: "leader" })
    joins.append(line, leader)
    // The nearest on top.
    badges.prepend(badge)
    return { line, badge, leader }
  })
  // Who is first in a neighbour's ranking would give the answer away before it is asked.
  function paintBadge(i, isKnown) {
    const { badge } = marks[i]
    badge.classList.toggle("unknown", !isKnown)
    const shape = isKnown ? shapeOf(neighbors[i].first) : SHAPES[0]
    badge.firstChild.setAttribute("d", shape(i < NUMBERED ? 9.5 : 6.5, 0, 0))
  }
  placeBadges()
  function legendEntry(label, name) {
    const swatch = svgElement(
      "svg",
      { viewBox: "-8 -8 16 16", "aria-hidden": "true" },
      svgElement("path", { d: shapeOf(label)(5.5, 0, 0) }),
    )
    swatch.firstChild.style.fill = colorOf(label)
    return element("span", {}, swatch, name)
  }
  const firsts = [...new Set(plane.first)].filter((label) => label >= 0).sort((a, b) => a - b)
  // Of few labels those that are first nowhere have their line, too.
  const named = labels.length <= MOST_NAMED ? [...labels.keys()] : firsts
  const nameOf = (label) =>
    firsts.includes(label) ? labels[label].name : fill(data.texts.legend_never, labels[label]).join("")
  const legend = element("div", { class: "plane-legend" })
  if (firsts.length && firsts.length <= MOST_NAMED)
    legend.append(
      element("span", { class: "legend-title" }, data.texts.legend),
      ...named.map((label) => legendEntry(label, nameOf(label))),
    )
  if (legend.firstChild && data.texts.legend_none && plane.first.includes(-1))
    legend.append(legendEntry(-1, data.texts.legend_none))
  const card = element("div", { class: "plane-card", "aria-hidden": "true" })
  const field = element("div", { class: "plane-field" }, svg)
  const node = element("div", { class: "plane" }, legend, field, card)
  if (plane.axes)
    field.append(
      element("span", { class: "axis across" }, `${plane.axes[0]} →`),
      element("span", { class: "axis up" }, `${plane.axes[1]} →`),
    )

  let pointed = -1
  function point(i) {
    if (i === pointed) return
    pointed = i
    card.classList.toggle("seen", i >= 0)
    ring.style.display = i >= 0 ? "" : "none"
    if (i < 0) return
    const [x, y] = plane.points[i]
    ring.setAttribute("cx", x)
    ring.setAttribute("cy", y)
    card.replaceChildren(...describe(i))
    const matrix = svg.getScreenCTM()
    const box = node.getBoundingClientRect()
    const left = x * matrix.a + matrix.e - box.left
    const top = y * matrix.d + matrix.f - box.top
    const isRight = left > box.width / 2
    const far = clamp(isRight ? left - card.offsetWidth - 14 : left + 14, 4, box.width - card.offsetWidth - 4)
    card.style.transform = `translate(${far}px, ${clamp(top - card.offsetHeight / 2, 4, box.height - card.offsetHeight - 4)}px)`
  }
  point(-1)
  ring.style.display = "none"

  function nearest(event) {
    const matrix = svg.getScreenCTM()
    const x = (event.clientX - matrix.e) / matrix.a
    const y = (event.clientY - matrix.f) / matrix.d
    let best = -1
    let least = REACH ** 2
    plane.points.forEach(([px, py], i) => {
      const far = (px - x) ** 2 + (py - y) ** 2
      if (far < least) [best, least] = [i, far]
    })
    return best
  }
  svg.addEventListener("pointermove", (event) => point(nearest(event)))
  svg.addEventListener("pointerleave", () => point(-1))
  svg.addEventListener("blur", () => point(-1))
  svg.addEventListener("click", (event) => {
    const i = nearest(event)
    point(-1)
    if (i >= 0) onChoose(i)
  })
  svg.addEventListener("keydown", (event) => {
    const direction = {
      ArrowRight: [1, 0],
      ArrowLeft: [-1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }[event.key]
    if (direction) {
      event.preventDefault()
      const [x, y] = pointed < 0 ? plane.own : plane.points[pointed]
      let best = -1
      let least = Infinity
      plane.points.forEach(([px, py], i) => {
        const ahead = (px - x) * direction[0] + (py - y) * direction[1]
        const aside = Math.abs((px - x) * direction[1]) + Math.abs((py - y) * direction[0])
        const far = ahead + 2 * aside
        if (ahead > 0.5 && far < least) [best, least] = [i, far]
      })
      if (best >= 0) point(best)
    } else if ((event.key === "Enter" || event.key === " ") && pointed >= 0) {
      event.preventDefault()
      onChoose(pointed)
    } else if (event.key === "Escape") point(-1)
  })

  return {
    node,
    showNeighbors(count) {
      nShown = count
      placeBadges()
      marks.forEach(({ line, badge, leader }, i) => {
        line.style.opacity = badge.style.opacity = leader.style.opacity = i < count ? "" : "0"
      })
    },
    showFirsts(isKnown) {
      marks.forEach((_, i) => paintBadge(i, isKnown))
    },
    fly(i) {
      const { line, badge, leader } = marks[i]
      paintBadge(i, true)
      line.style.opacity = badge.style.opacity = leader.style.opacity = ""
      if (!isCalm())
        line.animate([{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], { duration: 320 })
      return badge.getBoundingClientRect()
    },
    reveal(firstLabel) {
      own.classList.toggle("known", firstLabel !== null)
      own.children[1].style.fill = firstLabel === null || firstLabel < 0 ? "" : colorOf(firstLabel)
      own.children[2].style.display = firstLabel === null ? "" : "none"
    },
  }
}
