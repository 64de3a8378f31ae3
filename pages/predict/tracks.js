/* Tracks of features: a handle is the value, the colours say what is predicted at which value. While
   a handle is dragged the answer beside the chapters follows; nothing is sent before it is let go. */
const STEPS = 100
const REST_MS = 500
const FEWEST_PIXELS_OF_NAME = 64
const PIXELS_PER_LETTER = 7.5
const PIXELS_PER_PLAIN_LETTER = 6.6
const PIXELS_AROUND_NAME = 14
const PIXELS_OF_POINTER = 16
const PIXELS_BETWEEN = 8
const THUMB_PIXELS = 8
const LINES_BELOW = 4
const PIXELS_PER_LINE = 15

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".tracks")
  root.send = setStateValue
  // What arrives while a handle is held is drawn once it is let go.
  if (root.held) {
    root.waiting = data
    return
  }
  draw(root, data)
}

function draw(root, data) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.column : root.getRootNode().activeElement?.dataset?.column
  endPreview()
  data.labels.forEach(({ color, ink }, label) => {
    root.style.setProperty(`--label-${label}`, `light-dark(${color[0]}, ${color[1]})`)
    root.style.setProperty(`--ink-${label}`, `light-dark(${ink[0]}, ${ink[1]})`)
  })
  const rows = data.tracks.map((track) => createTrack(root, data, track))
  root.replaceChildren(element("p", { class: "hint" }, data.texts.hint), ...rows.map((row) => row.node))
  // All are as wide as before; to read it now would lay out the page once more.
  paintRows(rows, root.trackWidths ?? [])
  root.resizing?.disconnect()
  root.resizing = new ResizeObserver(() => {
    root.trackWidths = rows.map((row) => row.node.querySelector(".track").clientWidth)
    paintRows(rows, root.trackWidths)
  })
  root.resizing.observe(root)
  if (focused) root.querySelector(`[data-column="${focused}"]`)?.focus()
}

/* Paint the rows whose width is known and has changed. */
function paintRows(rows, widths) {
  rows.forEach((row, i) => {
    if (!widths[i] || row.width === widths[i]) return
    row.width = widths[i]
    row.paint(widths[i])
  })
}

function createTrack(root, data, track) {
  const { rankings, texts } = data
  const span = track.high - track.low || 1
  const share = (value) => (value - track.low) / span
  const hasNames = Object.keys(track.value_names).length > 0
  // A value with a name stands in the middle of its half.
  const place = (at) => (hasNames ? 0.25 + share(at) / 2 : share(at))
  let value = track.value
  let timer = 0

  const bar = element("span", { class: "bar" })
  const thumb = element("span", { class: "thumb" })
  const real = element("span", { class: "real" })
  real.style.left = `${100 * place(track.original)}%`
  real.style.display = track.value === track.original ? "none" : ""
  const node = element("div", { class: "track", role: "slider", tabindex: "0", "data-column": track.column, "aria-label": track.name, "aria-valuemin": track.low, "aria-valuemax": track.high }, bar, real, thumb)
  const number = element("b", {})
  const note = element("small", {})
  node.dataset.never = texts.never
  const ends = element("span", { class: hasNames ? "ends halves" : "ends", "aria-hidden": "true" })
  const row = element("div", { class: "row" }, element("span", { class: "name" }, track.name), element("span", { class: "scale" }, node, ends), element("span", { class: "said" }, number, note))

  function pieceAt(at) {
    if (at === track.value) return -1
    let piece = 0
    while (piece + 1 < track.starts.length && track.starts[piece + 1] <= at) piece += 1
    return piece
  }

  function valueText(at) {
    if (at === track.value) return track.value_text
    if (track.value_names[at]) return track.value_names[at]
    const digits = Math.max(0, 2 - Math.floor(Math.log10(span)))
    const text = at.toLocaleString("en", { maximumFractionDigits: digits })
    return `${text} ${track.unit}`.trim()
  }

  function noteAt(piece) {
    if (value === track.original) return ""
    if (value === track.value) return texts.changed
    return track.notes[piece] || texts.same
  }

  function show() {
    const piece = pieceAt(value)
    thumb.style.left = `${100 * place(value)}%`
    node.classList.toggle("low", share(value) < 0.5)
    number.textContent = valueText(value)
    note.textContent = noteAt(piece)
    node.setAttribute("aria-valuenow", value)
    node.setAttribute("aria-valuetext", [valueText(value), note.textContent].filter(Boolean).join(", "))
    return piece
  }

  // What is only lost has no colour but its name.
  const colorOf = ({ look, piece }) => track.gains[piece] ?? look

  // What is written into each part. A name that its part is too narrow for stands in a plain part
  // beside it and points at it, where the handle is not in the way.
  function namesOf(parts, width) {
    const names = parts.map(({ look, from, end }) => {
      const pixels = width * (share(end) - share(from))
      return { text: pixels >= Math.max(FEWEST_PIXELS_OF_NAME, PIXELS_PER_LETTER * look.length) ? look : "", side: "" }
    })
    const thumbAt = width * place(value)
    parts.forEach(({ look }, i) => {
      if (!look || names[i].text) return
      for (const [j, side, text] of [[i - 1, "before", `${look} →`], [i + 1, "after", `← ${look}`]]) {
        if (!parts[j] || parts[j].look || names[j].text) continue
        const [left, right] = [width * share(parts[j].from), width * share(parts[j].end)]
        const pixels = PIXELS_PER_PLAIN_LETTER * text.length + PIXELS_AROUND_NAME
        const [start, end] = side === "before" ? [right - pixels, right] : [left, left + pixels]
        const isFree = thumbAt <= start - THUMB_PIXELS || thumbAt >= end + THUMB_PIXELS
        if (start < left || end > right || !isFree) continue
        names[j] = { text, side }
        names[i].isBeside = true
        return
      }
    })
    return names
  }

  // The names that have no room in the bar stand below it in lines, each once: those next to the
  // handle, then one of each colour that has no name yet, the nearest.
  function namesBelow(parts, names, width) {
    const letters = (text) => PIXELS_PER_PLAIN_LETTER * text.length
    const [low, high] = track.end_texts.map(letters)
    const ends = hasNames
      ? [[(width / 2 - low) / 2, (width / 2 + low) / 2], [(1.5 * width - high) / 2, (1.5 * width + high) / 2]]
      : [[0, low], [width - high, width]]
    const lines = [ends, ...Array.from({ length: LINES_BELOW - 1 }, () => [])]
    const distance = ({ from, end }) => Math.max(from - value, value - end, 0)
    const named = parts.filter((_, i) => names[i].text || names[i].isBeside)
    const written = new Set(named.map(({ look }) => look))
    const colors = new Set(named.filter(({ look }) => look).map(colorOf))
    const changing = parts.filter(({ look }) => look)
    const next = [changing.findLast(({ end }) => end <= value), changing.find(({ from }) => from >= value)]
    return parts
      .filter(({ look }, i) => look && !names[i].text && !names[i].isBeside)
      .sort((a, b) => distance(a) - distance(b))
      .flatMap((part) => {
        const { look, from, end } = part
        if (written.has(look) || (colors.has(colorOf(part)) && !next.includes(part))) return []
        const [start, stop] = [width * share(from), width * share(end)]
        const pixels = letters(look) + PIXELS_OF_POINTER
        const tip = PIXELS_OF_POINTER / 3
        // The arrow points at the middle of the part, else nearer to its ends, or beside the numbers.
        const [first, last] = [low + PIXELS_BETWEEN + 1 + tip, width - high - PIXELS_BETWEEN - 1 - tip]
        const tips = [(start + stop) / 2, start + tip, stop - tip, first, last].filter((at) => at > start && at < stop)
        const places = tips.flatMap((at) => [[`↑ ${look}`, at - tip], [`${look} ↑`, at - pixels + tip]])
        for (const [line, taken] of lines.entries()) for (const [text, left] of places) {
          const isFree = taken.every(([start, stop]) => left > stop + PIXELS_BETWEEN || left + pixels < start - PIXELS_BETWEEN)
          // The arrow may point at a part at the very end of the bar.
          if (!isFree || left < -tip || left + pixels > width + tip) continue
          taken.push([left, left + pixels])
          written.add(look)
          colors.add(colorOf(part))
          const name = element("small", { class: "below" }, text)
          // Letters are counted, not measured: the end with the arrow is the one that holds its place.
          if (text.startsWith("↑")) name.style.left = `${left}px`
          else name.style.right = `${width - left - pixels}px`
          name.style.top = `${line * PIXELS_PER_LINE}px`
          return [name]
        }
        return []
      })
  }

  function paint(width) {
    const parts = []
    track.starts.forEach((start, piece) => {
      const look = track.notes[piece]
      const end = track.starts[piece + 1] ?? track.high
      const from = Math.max(start, track.low)
      const last = parts.at(-1)
      if (last && last.look === look) last.end = end
      else parts.push({ look, from, end, piece })
    })
    node.classList.toggle("never", parts.every(({ look }) => !look))
    const names = namesOf(parts, width)
    const below = namesBelow(parts, names, width)
    ends.replaceChildren(...track.end_texts.map((text) => element("small", {}, text)), ...below)
    ends.style.minHeight = `${PIXELS_PER_LINE + Math.max(0, ...below.map((name) => parseFloat(name.style.top)))}px`
    bar.replaceChildren(
      ...parts.map(({ look, from, end, piece }, i) => {
        // No colour is that of labels that come to tie.
        const label = track.gains[piece]
        const kind = track.has_ties ? "same" : "other"
        const part = element("i", { title: look || texts.same, class: `${look ? kind : "same"} ${names[i].side}` }, names[i].text)
        part.style.width = `${100 * (share(end) - share(from))}%`
        if (label !== null) {
          part.classList.remove("other", "same")
          part.style.setProperty("--chip", `var(--label-${label})`)
          part.style.setProperty("--chip-ink", `var(--ink-${label})`)
        }
        return part
      }),
    )
    show()
  }

  function moveTo(next) {
    value = clamp(hasNames ? Math.round(next) : next, track.low, track.high)
    const piece = show()
    previewRanking(rankings[piece < 0 ? track.own_ranking : track.ranking[piece]])
  }

  function release() {
    root.held = false
    if (value === track.value) endPreview()
    else root.send("change", { column: track.column, value })
    if (root.waiting) {
      const next = root.waiting
      root.waiting = null
      if (value === track.value) draw(root, next)
    }
  }

  const valueUnder = (event) => {
    const box = node.getBoundingClientRect()
    const at = track.low + ((event.clientX - box.left) / box.width) * span
    // The real value is easy to hit again.
    return !hasNames && Math.abs(share(at) - share(track.original)) * box.width < 5 ? track.original : at
  }
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return
    node.setPointerCapture(event.pointerId)
    root.held = true
    moveTo(valueUnder(event))
  })
  node.addEventListener("pointermove", (event) => {
    if (node.hasPointerCapture(event.pointerId)) moveTo(valueUnder(event))
  })
  node.addEventListener("pointerup", release)
  node.addEventListener("pointercancel", () => {
    moveTo(track.value)
    release()
  })
  node.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }
    if (!(event.key in steps)) return
    event.preventDefault()
    root.held = true
    moveTo(value + (steps[event.key] * span) / (hasNames ? 1 : STEPS))
    clearTimeout(timer)
    timer = setTimeout(release, REST_MS)
  })
  return { node: row, paint }
}
