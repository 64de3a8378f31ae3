/* Three columns of chips: a guess, what is predicted, what is real, and lines between equal labels.
   A guess is made by tapping, dragging or the arrow keys. */
const DRAG_PIXELS = 5

function createBoard({ labels, shown, isSet, texts, onGuess }) {
  const node = element("div", { class: `board ${isSet ? "sets" : ""}` })
  const heads = ["guess", "predicted", "real"].map((column) =>
    element("div", { class: `board-head ${column}` }),
  )
  const head = element("div", { class: "board-heads" }, ...heads)
  const field = element("div", { class: "board-field", role: "group" })
  const wires = svgElement("svg", { class: "board-wires", "aria-hidden": "true" })
  field.append(wires)
  node.append(head, field)

  const nRows = shown.length
  node.style.setProperty("--n-rows", nRows)
  const slots = []
  const columns = { guess: {}, predicted: {}, real: {} }
  for (let row = 0; row < nRows; row++) {
    const number = element("span", { class: "board-number" }, isSet ? "" : row + 1)
    number.style.setProperty("--row", row)
    field.append(number)
    const slot = element("span", { class: "slot" })
    slot.style.setProperty("--row", row)
    slots.push(slot)
    field.append(slot)
  }
  // Over what is real, until it is shown.
  const cover = element("span", { class: "cover", "aria-hidden": "true" }, "?")
  field.append(cover)
  const lines = Object.fromEntries(
    ["predicted", "real"].map((column) => [column, element("span", { class: `zero-line ${column}` })]),
  )
  if (isSet) field.append(...Object.values(lines))
  for (const column of ["real", "predicted", "guess"])
    for (const label of shown) {
      const tag = column === "guess" ? "button" : "span"
      const chip = element(tag, { class: `chip ${column}`, "data-label": label })
      chip.style.setProperty("--chip", `var(--label-${label})`)
      chip.style.setProperty("--chip-ink", `var(--ink-${label})`)
      chip.append(element("span", { class: "chip-name" }, labels[label].name))
      chip.title = labels[label].name
      columns[column][label] = { chip }
      field.append(chip)
    }
  const wirePaths = ["guess", "predicted"].flatMap((column) =>
    shown.map((label) => {
      const path = svgElement("path", {})
      path.style.stroke = `var(--label-${label})`
      wires.append(path)
      return { path, column, label }
    }),
  )

  let guess = []
  let phase = "guess"
  let hasGuess = true
  let geometry = null

  // Nothing glides to its place only because the window has another width.
  function measure() {
    field.classList.add("still")
    requestAnimationFrame(() => requestAnimationFrame(() => field.classList.remove("still")))
    const width = field.clientWidth
    const isNarrow = width < 440
    const number = isSet ? 0 : isNarrow ? 18 : 28
    const gap = isNarrow ? 16 : Math.max(26, width * 0.075)
    const nColumns = hasGuess ? 3 : 2
    const chipWidth = (width - number - (nColumns - 1) * gap) / nColumns
    const rowHeight = field.clientHeight / nRows
    // Without a guess its column lies out of sight.
    const first = hasGuess ? number : number - chipWidth - gap
    const [guessLeft, predictedLeft, realLeft] = [0, 1, 2].map((i) => first + i * (chipWidth + gap))
    geometry = {
      width,
      chipWidth,
      rowHeight,
      left: { guess: guessLeft, predicted: predictedLeft, real: realLeft },
    }
    field.style.setProperty("--chip-width", `${chipWidth}px`)
    for (const slot of slots) slot.style.left = `${geometry.left.guess}px`
    cover.style.left = `${geometry.left.real}px`
    for (const [column, line] of Object.entries(lines)) line.style.left = `${geometry.left[column]}px`
    heads.forEach((title, index) => {
      title.style.left = `${Object.values(geometry.left)[index]}px`
      title.style.width = `${chipWidth}px`
    })
  }

  function place(column, label, atColumn, row, opacity, isOut = false) {
    const entry = columns[column][label]
    Object.assign(entry, { x: geometry.left[atColumn], y: row * geometry.rowHeight, opacity })
    entry.chip.classList.toggle("out", isOut)
    if (entry.isDragged) return
    entry.chip.style.transform = `translate(${entry.x}px, ${entry.y}px)`
    entry.chip.style.opacity = opacity
    entry.chip.style.visibility = opacity ? "visible" : "hidden"
  }

  function markTie(column, label, isTied) {
    const { chip } = columns[column][label]
    chip.classList.toggle("tied-above", isTied)
    chip.title = isTied ? `${labels[label].name}, ${texts.tied}` : labels[label].name
  }

  /* state: {phase, hasGuess, guess, predicted: [labels best first] | null, nPredicted, real: [...], nReal,
     predictedTies, realTies: those that tie with the label above} */
  function update(state) {
    if (!geometry || hasGuess !== state.hasGuess) {
      hasGuess = state.hasGuess
      measure()
    }
    if (!geometry.chipWidth) return
    const { predicted, real } = state
    guess = state.guess
    phase = state.phase
    node.dataset.phase = phase
    for (const label of shown) {
      const guessed = guess.indexOf(label)
      const start = shown.indexOf(label)
      if (guessed >= 0) place("guess", label, "guess", guessed, 1)
      else place("guess", label, "predicted", start, phase === "guess" ? 1 : 0)
      const row = predicted ? predicted.indexOf(label) : start
      const isOut = Boolean(isSet && predicted && row >= state.nPredicted)
      place("predicted", label, "predicted", row, predicted ? 1 : 0, isOut)
      markTie("predicted", label, Boolean(predicted) && state.predictedTies.includes(label))
      const realRow = real.indexOf(label)
      const isDone = phase === "done" && realRow >= 0
      const isRealOut = isSet && realRow >= state.nReal
      if (isDone) place("real", label, "real", realRow, 1, isRealOut)
      else place("real", label, "predicted", row, 0)
      markTie("real", label, isDone && state.realTies.includes(label))
      const button = columns.guess[label].chip
      button.disabled = phase !== "guess"
      button.setAttribute(
        "aria-label",
        guessed >= 0 ? `${labels[label].name}, ${texts.placed} ${guessed + 1}` : labels[label].name,
      )
    }
    slots.forEach((slot, row) => {
      slot.style.opacity = phase === "guess" && row >= guess.length ? 1 : 0
    })
    cover.style.opacity = phase === "done" ? 0 : 1
    for (const [column, count] of [
      ["predicted", predicted ? state.nPredicted : null],
      ["real", phase === "done" ? state.nReal : null],
    ]) {
      lines[column].style.opacity = isSet && count !== null ? 1 : 0
      lines[column].style.transform = `translateY(${(count ?? 0) * geometry.rowHeight}px)`
    }
    heads.forEach((title, index) => (title.textContent = state.heads[index]))
    drawWires(state)
  }

  function drawWires({ predicted }) {
    const middle = geometry.rowHeight / 2 - 4
    for (const { path, column, label } of wirePaths) {
      const start = columns[column][label]
      const end = columns[column === "guess" ? "predicted" : "real"][label]
      const isGuess = column === "guess"
      const isSeen =
        predicted && (isGuess ? guess.includes(label) : phase === "done" && end.opacity > 0)
      path.style.opacity = isSeen ? 0.75 * Math.min(start.opacity, end.opacity) : 0
      if (!isSeen) continue
      const [x1, y1] = [start.x + geometry.chipWidth + 2, start.y + middle]
      const [x2, y2] = [end.x - 2, end.y + middle]
      const half = (x2 - x1) / 2
      const line = `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2} ${y2}`
      path.setAttribute("d", line)
      path.style.d = `path("${line}")`
    }
  }

  function toggle(label) {
    if (guess.includes(label)) onGuess(guess.filter((other) => other !== label))
    else moveTo(label, guess.length)
  }

  function moveTo(label, place) {
    const next = guess.filter((other) => other !== label)
    next.splice(clamp(place, 0, next.length), 0, label)
    // The last label has only one place left.
    if (!isSet && next.length === nRows - 1 && !guess.includes(label))
      next.push(shown.find((other) => !next.includes(other)))
    onGuess(next)
  }

  for (const label of shown) {
    const entry = columns.guess[label]
    const { chip } = entry
    let down = null
    chip.addEventListener("pointerdown", (event) => {
      if (phase !== "guess" || event.button !== 0) return
      down = { x: event.clientX, y: event.clientY, left: entry.x, top: entry.y, hasMoved: false }
      chip.setPointerCapture(event.pointerId)
    })
    chip.addEventListener("pointermove", (event) => {
      if (!down) return
      const [dx, dy] = [event.clientX - down.x, event.clientY - down.y]
      if (!down.hasMoved && Math.hypot(dx, dy) < DRAG_PIXELS) return
      down.hasMoved = entry.isDragged = true
      chip.classList.add("held")
      chip.style.transform = `translate(${down.left + dx}px, ${down.top + dy}px)`
      const isLeft = down.left + dx < geometry.left.guess + geometry.chipWidth * 0.75
      const row = Math.round((down.top + dy) / geometry.rowHeight)
      const isPlaced = guess.includes(label)
      if (isLeft && guess.indexOf(label) !== row) moveTo(label, row)
      else if (!isLeft && isPlaced) onGuess(guess.filter((other) => other !== label))
    })
    const drop = (event) => {
      if (!down) return
      const { hasMoved } = down
      down = null
      entry.isDragged = false
      chip.classList.remove("held")
      if (!hasMoved && event.type === "pointerup") toggle(label)
      else onGuess(guess)
    }
    chip.addEventListener("pointerup", drop)
    chip.addEventListener("pointercancel", drop)
    chip.addEventListener("keydown", (event) => {
      if (phase !== "guess") return
      const row = guess.indexOf(label)
      if (event.key === "Enter" || event.key === " ") toggle(label)
      else if (row >= 0 && event.key === "ArrowUp") moveTo(label, row - 1)
      else if (row >= 0 && event.key === "ArrowDown") moveTo(label, row + 1)
      else return
      event.preventDefault()
    })
  }

  return {
    node,
    update,
    // Whether the board has another width than before; then it wants an update.
    resize() {
      if (geometry.width === field.clientWidth) return false
      measure()
      return true
    },
    middleBox() {
      const box = field.getBoundingClientRect()
      return {
        x: box.left + geometry.left.predicted + geometry.chipWidth / 2,
        y: box.top + box.height / 2,
      }
    },
  }
}
