/* The first page: guess how a case ranks the labels, then ask the cases most like it.
   Everything that one knob can show was computed before; while it moves, nothing is sent. */
const FLOWN = 8
const BEAT_MS = 190
const AGREEMENT_ROWS = 6
const NEIGHBOR_ROWS = 5
// The answer that was seen last: the page may be mounted anew, as after slow work or a visit to
// another page, and its question is not asked again.
const seen = (window.labelrankSeen ??= {})

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".look-alikes")
  const send = { setStateValue, setTriggerValue }
  if (root.app && root.app.version === data.version) {
    root.app.receive(data, send)
    return
  }
  // Who has seen one answer, and chooses a case on the map, wants the next answer.
  const isRevealed = root.app?.wantsAnswer ?? false
  root.app?.stop()
  root.app = createPage(root, data, send, isRevealed)
}

function createPage(root, data, send, isRevealed) {
  const { labels, texts, states, knob, truth, isSet, neighbors } = data
  const shown = data.shown
  const asksNeighbors = knob?.asksNeighbors ?? false
  const canGuess = data.canGuess
  let phase = "guess"
  let guess = []
  let didGuess = false
  let index = knob ? knob.index : 0
  let sentIndex = index
  let run = 0

  labels.forEach(({ color, ink }, label) => {
    root.style.setProperty(`--label-${label}`, `light-dark(${color[0]}, ${color[1]})`)
    root.style.setProperty(`--ink-${label}`, `light-dark(${ink[0]}, ${ink[1]})`)
  })

  // What is predicted at a value of the knob.
  const stateAt = (place) => states.of_value[place]
  const bucketsAt = (place) => states.rankings[stateAt(place)]
  const orderAt = (place) => bucketsAt(place).flat()
  const nRelevantAt = (place) => states.n_relevant?.[stateAt(place)] ?? null
  const shownOrder = (order) => order.filter((label) => shown.includes(label))
  // Of a set only what is in it counts, not in which order.
  const answerAt = (place) => {
    const order = orderAt(place)
    if (isSet) return order.slice(0, nRelevantAt(place)).sort((a, b) => a - b).join()
    return bucketsAt(place).join(">")
  }
  const flips = knob
    ? knob.values.map((_, i) => i).filter((i) => i > 0 && answerAt(i) !== answerAt(i - 1))
    : []
  const numberText = (place) => String(knob.values[place])
  const rowNoun = (n) => (n === 1 ? texts.row : texts.rows)
  const nAsked = () => (asksNeighbors ? knob.values[index] : neighbors.length)
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

  // Where each label stands, tied ones at the same place.
  const placesOf = (buckets) => new Map(buckets.flatMap((tied, i) => tied.map((label) => [label, i])))

  // How many pairs, or labels of a set, an answer has right: ties of the real ranking do not count,
  // and a pair that the answer ties is not in the right order.
  function score(buckets, nRelevant) {
    const order = buckets.flat()
    if (isSet) {
      const has = new Set(order.slice(0, nRelevant))
      const isRight = labels.map((_, label) => has.has(label) === Boolean(truth.relevance[label]))
      return { n: isRight.filter(Boolean).length, of: labels.length }
    }
    let [n, of] = [0, 0]
    const places = placesOf(buckets)
    order.forEach((ahead, i) =>
      order.slice(i + 1).forEach((behind) => {
        const [a, b] = [truth.positions[ahead], truth.positions[behind]]
        if (a === null || b === null || a === b) return
        of += 1
        if (a < b && places.get(ahead) < places.get(behind)) n += 1
      }),
    )
    return { n, of }
  }

  const board = createBoard({ labels, shown, isSet, texts, onGuess: setGuess })
  const plane = data.plane
    ? createPlane({ data, labels, onChoose: chooseCase, describe: describeCase })
    : null
  const slider = knob
    ? createSlider({ label: knob.label, onMove: moveTo, onRelease: release })
    : null

  const subtitle = element("p", { class: "subtitle", "aria-live": "polite" })
  const actions = element("div", { class: "actions" })
  const knobTitle = element("h2", {})
  const knobNote = element("span", { class: "knob-note", role: "status" })
  const agreement = element("section", { class: "card agreement" })
  const relatives = element("section", { class: "card relatives" })
  const rule = texts.rule ? element("p", { class: "quiet rule" }, texts.rule) : ""
  const boardCard = element("section", { class: "card board-card" }, rule, board.node, actions)
  const steps = element("ol", { class: "steps" })
  if (slider)
    boardCard.append(
      element(
        "div",
        { class: "knob" },
        element("div", { class: "knob-head" }, knobTitle, knobNote),
        slider.node,
      ),
      steps,
    )
  const stage = element("div", { class: "stage" }, boardCard)
  if (plane) stage.prepend(element("section", { class: "card plane-card-frame" }, plane.node))
  else stage.classList.add("alone")
  root.replaceChildren(
    element(
      "header",
      { class: "hero" },
      element("p", { class: "quiet lead" }, texts.lead),
      element("h1", {}, data.question),
      subtitle,
      texts.another
        ? element(
            "button",
            { class: "button another", onclick: () => send.setTriggerValue("another", Date.now()) },
            texts.another,
          )
        : "",
    ),
    stage,
  )
  if (asksNeighbors) root.append(element("div", { class: "below" }, agreement, relatives))

  function setGuess(next) {
    guess = next
    update()
  }

  function realOrder() {
    const order = shown.filter((label) => isSet || truth.positions[label] !== null)
    const predicted = orderAt(index)
    const key = (label) => (isSet ? -truth.relevance[label] : truth.positions[label])
    return order.sort((a, b) => key(a) - key(b) || predicted.indexOf(a) - predicted.indexOf(b))
  }

  const tiesIn = (order, places) =>
    order.filter((label, i) => i > 0 && places.get(label) === places.get(order[i - 1]))

  function answerHead() {
    if (phase === "guess") return guess.length === shown.length ? "" : texts.tap
    if (!asksNeighbors) return texts.method_says
    return fill(nAsked() === 1 ? texts.one_says : texts.some_say, {
      n: nAsked(),
      rows: rowNoun(nAsked()),
    }).join("")
  }

  function update() {
    const order = shownOrder(orderAt(index))
    const nRelevant = nRelevantAt(index)
    const isAnswered = phase === "answered" || phase === "done"
    const hasGuess = canGuess && (phase === "guess" || didGuess)
    board.update({
      phase,
      hasGuess,
      guess,
      predicted: isAnswered ? order : null,
      nPredicted: nRelevant === null ? null : Math.min(nRelevant, order.length),
      real: realOrder(),
      // Of the labels of a column those that tie with the one above.
      predictedTies: tiesIn(order, placesOf(bucketsAt(index))),
      realTies: isSet ? [] : tiesIn(realOrder(), new Map(truth.positions.entries())),
      nReal: isSet ? shown.filter((label) => truth.relevance[label]).length : null,
      heads: [hasGuess ? texts.your_guess : "", answerHead(), texts.real],
    })
    // Who is asked is marked before, and again as each of them answers.
    const isMarked = phase === "done" || (phase === "guess" && asksNeighbors)
    plane?.showNeighbors(isMarked ? nAsked() : 0)
    plane?.showFirsts(phase === "answered" || phase === "done")
    plane?.reveal(phase === "done" ? data.own_first : null)
    boardCard.classList.toggle("asking", phase !== "done")
    steps.replaceChildren(
      ...[texts.step_guess, texts.step_ask, texts.step_compare].map((step) =>
        element("li", {}, ...fill(step, { k: nAsked(), rows: rowNoun(nAsked()) })),
      ),
    )
    updateSubtitle()
    updateActions()
    updateKnob()
    if (asksNeighbors) {
      updateAgreement()
      updateRelatives()
    }
  }

  function updateSubtitle() {
    if (phase !== "done") {
      const intro = canGuess ? texts.intro : texts.intro_without_guess
      subtitle.replaceChildren(...fill(intro, { k: nAsked(), rows: rowNoun(nAsked()) }))
      return
    }
    const { n, of } = score(bucketsAt(index), nRelevantAt(index))
    const asked = nAsked() === 1 ? texts.done_one : texts.done
    const template = of === 0 ? texts.done_untold : asksNeighbors ? asked : texts.done_method
    subtitle.replaceChildren(
      ...fill(template, {
        k: nAsked(),
        rows: rowNoun(nAsked()),
        score: strong(fill(texts.score, { n, of }).join("")),
      }),
    )
  }

  function updateActions() {
    if (phase === "guess") {
      const isReady = isSet || guess.length === shown.length
      const hint = element("p", { class: "quiet", role: "status" }, isReady ? "" : texts.place_all)
      actions.replaceChildren(
        element(
          "button",
          {
            class: "button primary",
            "aria-disabled": String(!isReady),
            onclick: () => (isReady ? reveal(true) : hint.classList.add("due")),
          },
          texts.ask,
        ),
        element("button", { class: "link", onclick: () => reveal(false) }, texts.show),
        hint,
      )
    } else if (phase === "done") {
      const said = score(bucketsAt(index), nRelevantAt(index))
      const cards = [scoreCard(texts.their_score, said, "theirs")]
      if (didGuess) {
        const order = isSet ? [...new Set([...guess, ...labels.keys()])] : guess
        const own = score(order.map((label) => [label]), guess.length)
        cards.unshift(scoreCard(texts.your_score, own, own.n >= said.n ? "won" : ""))
      }
      const again = !plane ? "" : data.plane.axes ? texts.click_plane : texts.click_map
      actions.replaceChildren(...cards, element("p", { class: "quiet" }, `${texts.pair_note} ${again}`))
    } else actions.replaceChildren(element("span", { class: "quiet" }, texts.asking))
  }

  function scoreCard(title, { n, of }, kind) {
    if (of === 0) return element("div", { class: "score" }, texts.untold)
    const dots = element("span", { class: "score-dots", "aria-hidden": "true" })
    if (of <= 15)
      for (let i = 0; i < of; i++) dots.append(element("i", { class: i < n ? "right" : "wrong" }))
    return element(
      "div",
      { class: `score ${kind}` },
      element(
        "p",
        {},
        `${title} `,
        element("b", { class: "score-number" }, String(n)),
        ` ${fill(texts.of_right, { of }).join("")}`,
      ),
      dots,
    )
  }

  function updateKnob() {
    if (!slider) return
    slider.update({
      values: knob.values,
      index,
      flips,
      isDisabled: phase !== "done",
      note: !flips.length ? "" : fill(flips.length === 1 ? texts.one_mark : texts.marks, { n: flips.length }).join(""),
    })
    const template = !asksNeighbors
      ? texts.knob_value
      : knob.values[index] === 1
        ? texts.ask_one
        : texts.ask_some
    knobTitle.textContent = fill(template, { n: numberText(index) }).join("")
    knobNote.replaceChildren(...knobText())
  }

  function knobText() {
    if (flips.includes(index)) return changeText(texts.tips, index)
    const next = flips.find((place) => place > index)
    if (next === undefined) return [flips.length ? texts.stays : texts.same]
    return changeText(texts.next, next)
  }

  // The first pair that changes places, or the first label that enters or leaves the set.
  function changeText(template, place) {
    const values = { n: numberText(place), more: asksNeighbors ? knob.values[place] - knob.values[index] : "" }
    const [before, after] = [orderAt(place - 1), orderAt(place)]
    if (isSet) {
      const [old, now] = [before.slice(0, nRelevantAt(place - 1)), after.slice(0, nRelevantAt(place))]
      const entered = now.find((label) => !old.includes(label))
      const left = old.find((label) => !now.includes(label))
      if (entered !== undefined)
        return fill(template, { ...values, change: phrase(texts.enters, { a: entered }) })
      if (left !== undefined)
        return fill(template, { ...values, change: phrase(texts.leaves, { a: left }) })
    }
    const [was, is] = [placesOf(bucketsAt(place - 1)), placesOf(bucketsAt(place))]
    const isAhead = (places, a, b) => places.get(a) < places.get(b)
    const pairs = after.flatMap((a, i) => after.slice(i + 1).map((b) => [a, b]))
    const passing = pairs.find(([a, b]) => isAhead(is, a, b) && !isAhead(was, a, b))
    if (passing) return fill(template, { ...values, change: phrase(texts.overtakes, { a: passing[0], b: passing[1] }) })
    const joining = pairs.find(([a, b]) => is.get(a) === is.get(b) && was.get(a) !== was.get(b))
    if (joining) return fill(template, { ...values, change: phrase(texts.joins, { a: joining[0], b: joining[1] }) })
    return [texts.stays]
  }

  function phrase(template, named) {
    const values = Object.fromEntries(
      Object.entries(named).map(([key, label]) => [key, strong(labels[label].name)]),
    )
    return element("span", {}, ...fill(template, values))
  }

  function moveTo(place) {
    index = place
    update()
  }

  function release(place) {
    if (place === sentIndex) return
    sentIndex = place
    send.setStateValue("index", place)
  }

  // ---- who agrees
  function tile(label) {
    const node = element("span", { class: "tile", title: labels[label].name }, labels[label].initials)
    node.style.setProperty("--chip", `var(--label-${label})`)
    node.style.setProperty("--chip-ink", `var(--ink-${label})`)
    return node
  }

  function updateAgreement() {
    if (phase !== "done") {
      agreement.replaceChildren(
        element("h2", {}, texts.hint_title),
        element("p", { class: "quiet" }, texts.hint_note),
        element("div", { class: "hint-rows", style: `--n-rows:${shown.length}` }, ...hintRows()),
      )
      return
    }
    const asked = neighbors.slice(0, knob.values[index])
    const order = shownOrder(orderAt(index))
    const places = placesOf(bucketsAt(index))
    const rows = isSet
      ? order.slice(0, AGREEMENT_ROWS).map((label) => ({
          tiles: [label],
          agrees: asked.map((neighbor) => (neighbor.relevance[label] ? 1 : 0)),
          name: labels[label].name,
        }))
      : order.slice(0, -1).slice(0, AGREEMENT_ROWS).map((label, i) => {
          const next = order[i + 1]
          const isTied = places.get(label) === places.get(next)
          return {
            tiles: [label, next],
            isTied,
            agrees: asked
              .map(({ positions }) => [positions[label], positions[next]])
              .filter(([a, b]) => a !== null && b !== null)
              .map(([a, b]) => (isTied ? Number(a === b) : a < b ? 1 : a > b ? 0 : 0.5)),
            name: fill(isTied ? texts.level : texts.before, { a: labels[label].name, b: labels[next].name }).join(""),
          }
        })
    agreement.replaceChildren(
      element("h2", {}, texts.agree_title),
      element("p", { class: "quiet" }, texts.agree_note),
      element("div", { class: "agreement-rows", style: `--n-rows:${rows.length}` }, ...rows.map(agreementRow)),
    )
  }

  // Before the answer: how the labels do among all cases, the most common first.
  function hintRows() {
    const most = Math.max(...data.counts, 1)
    const sorted = [...shown].sort((a, b) => data.counts[b] - data.counts[a])
    return sorted.map((label) => {
      const bar = element("i")
      bar.style.background = `var(--label-${label})`
      if (data.counts[label]) bar.style.width = `max(2px, ${(100 * data.counts[label]) / most}%)`
      return element(
        "div",
        { class: "hint-row" },
        tile(label),
        element("span", {}, labels[label].name),
        element("span", { class: "hint-bar", "aria-hidden": "true" }, bar),
        element("b", { class: "count" }, String(data.counts[label])),
      )
    })
  }

  function agreementRow({ tiles, agrees, name, isTied }) {
    const sorted = [...agrees].sort((a, b) => b - a)
    const n = sorted.filter((one) => one === 1).length
    const label = tiles[0]
    const dots = element("span", {
      class: `dots ${sorted.length > 18 ? "many" : ""}`,
      role: "img",
      "aria-label": fill(texts.count_alt, { n, of: sorted.length, name }).join(""),
    })
    for (const one of sorted) {
      const dot = element("i", { class: one === 1 ? "" : one === 0 ? "against" : "half" })
      const shown = one === 0 && tiles[1] !== undefined ? tiles[1] : label
      // Who ties two labels, and who does not, prefers neither in this row.
      dot.style.setProperty("--chip", isTied ? "var(--quiet)" : `var(--label-${shown})`)
      dots.append(dot)
    }
    return element(
      "div",
      { class: "agreement-row" },
      element("span", { class: "agreement-name" }, ...tiles.map(tile), element("span", {}, name)),
      dots,
      element("span", { class: "count" }, strong(n), ` ${fill(texts.count, { of: sorted.length }).join("")}`),
    )
  }

  // ---- who they are
  function bucketTiles(buckets) {
    return element(
      "span",
      { class: "tiles" },
      ...buckets.flatMap((tied) =>
        tied.length === 1
          ? [tile(tied[0])]
          : [element("span", { class: "tied", title: texts.tied }, ...tied.map(tile))],
      ),
    )
  }

  function updateRelatives() {
    const isKnown = phase === "done"
    const nRows = Math.min(NEIGHBOR_ROWS, knob.values[index])
    const key = `${isKnown} ${nRows}`
    if (relatives.dataset.key === key) return
    relatives.dataset.key = key
    const head = element(
      "tr",
      {},
      element("td", { class: "place" }),
      element("th", { scope: "col" }, capital(texts.row)),
      element("th", { scope: "col" }, texts.their_ranking),
      ...data.features.map(({ name }) => element("th", { scope: "col", class: "value" }, name)),
    )
    // Before the answer its column is covered, and as wide as it will be.
    const rankings = [data.own_buckets, ...neighbors.slice(0, nRows).map(({ buckets }) => buckets)]
    const nTiles = Math.max(...rankings.map((buckets) => buckets.flat().length))
    const tilesOf = (buckets) =>
      isKnown ? bucketTiles(buckets) : element("span", { class: "veil", "aria-label": texts.hidden, role: "img" }, "?")
    const row = (i) => {
      const neighbor = i < 0 ? null : neighbors[i]
      const name =
        neighbor === null
          ? element("b", {}, data.case_name)
          : !isOffered(neighbor.row)
            ? element("span", {}, neighbor.name)
            : element("button", { class: "link", onclick: () => chooseRow(neighbor.row) }, neighbor.name)
      return element(
        "tr",
        { class: neighbor === null ? "own-row" : "" },
        element("td", { class: "place" }, neighbor === null ? "◎" : String(i + 1)),
        element("td", { class: "name" }, name),
        element(
          "td",
          { class: "ranking", style: `--n-tiles:${nTiles}` },
          tilesOf(neighbor === null ? data.own_buckets : neighbor.buckets),
        ),
        ...data.features.map(({ name, values, shares }) => {
          const [value, share] = [values[i + 1], shares[i + 1]]
          const cell = element("td", { class: "value", "data-name": name }, element("span", {}, value))
          if (share === null) return cell
          const bar = element("span", { class: "share" }, element("i", { style: `width:${100 * share}%` }))
          bar.append(element("b", { style: `left:${100 * shares[0]}%` }))
          cell.append(bar)
          return cell
        }),
      )
    }
    const hasBars = data.features.some(({ shares }) => shares[0] !== null)
    const keys = element(
      "p",
      { class: "quiet keys" },
      element("span", {}, element("i", { class: "key-bar" }), texts.bar_note),
      element("span", {}, element("i", { class: "key-line" }), texts.line_note),
    )
    const rows = []
    for (let i = -1; i < nRows; i++) rows.push(row(i))
    relatives.replaceChildren(
      element("h2", {}, texts.who_title),
      element("p", { class: "quiet" }, texts.who_note),
      hasBars ? keys : "",
      element(
        "div",
        { class: "wide" },
        element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
      ),
    )
  }

  // ---- the map
  function describeCase(i) {
    const { plane: all } = data
    const row = all.rows ? all.rows[i] : i
    const isHidden = row === data.row && phase !== "done"
    const name = element("b", {}, all.names ? all.names[i] : fill(texts.row_name, { n: row + 1 }).join(""))
    if (isHidden) return [name, element("span", { class: "quiet" }, texts.hidden)]
    const buckets = all.buckets?.[i]
    return buckets ? [name, bucketTiles(buckets)] : [name]
  }

  function chooseCase(i) {
    chooseRow(data.plane.rows ? data.plane.rows[i] : i)
  }

  const isOffered = (row) => !data.offered || data.offered.includes(row)

  function chooseRow(row) {
    if (row === data.row || !isOffered(row)) return
    api.wantsAnswer = phase === "done"
    send.setTriggerValue("row", row)
  }

  // ---- the reveal
  async function reveal(isGuessed) {
    const mine = ++run
    didGuess = isGuessed
    if (!isGuessed) guess = []
    phase = "asked"
    update()
    if (asksNeighbors && plane) {
      const count = Math.min(FLOWN, nAsked())
      for (let i = 0; i < count; i++) {
        const from = plane.fly(i)
        flyTiles(neighbors[i], from)
        await pause(BEAT_MS)
        if (mine !== run) return
      }
      await pause(500)
    }
    if (mine !== run) return
    phase = "answered"
    update()
    plane?.showNeighbors(asksNeighbors ? nAsked() : neighbors.length)
    await pause(450)
    if (mine !== run) return
    phase = "done"
    Object.assign(seen, { version: data.version, guess, didGuess })
    update()
  }

  function restore() {
    ;({ guess, didGuess } = seen)
    phase = "done"
    update()
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, isCalm() ? 0 : ms))

  // What flies belongs to the body, so that no card cuts it off, and is gone afterwards.
  function flyTiles(neighbor, from) {
    if (isCalm()) return
    const to = board.middleBox()
    const flyer = element("div", { "aria-hidden": "true" })
    Object.assign(flyer.style, {
      position: "fixed",
      left: "0",
      top: "0",
      zIndex: "99",
      display: "grid",
      gap: "2px",
      pointerEvents: "none",
    })
    const style = getComputedStyle(root)
    for (const label of neighbor.buckets.flat().slice(0, 6)) {
      const bar = element("i")
      Object.assign(bar.style, {
        width: "26px",
        height: "6px",
        borderRadius: "3px",
        background: style.getPropertyValue(`--label-${label}`),
      })
      flyer.append(bar)
    }
    document.body.append(flyer)
    const flight = flyer.animate(
      [
        { transform: `translate(${from.left}px, ${from.top}px) scale(.5)`, opacity: 0 },
        { transform: `translate(${from.left + 8}px, ${from.top - 22}px) scale(1.15)`, opacity: 1, offset: 0.3 },
        { transform: `translate(${to.x - 13}px, ${to.y - 22}px) scale(1)`, opacity: 0.2 },
      ],
      { duration: 700, easing: "cubic-bezier(.3,.7,.3,1)" },
    )
    flight.onfinish = flight.oncancel = () => flyer.remove()
  }

  const observer = new ResizeObserver(() => {
    if (board.resize()) update()
  })
  observer.observe(boardCard)

  const api = {
    version: data.version,
    wantsAnswer: false,
    receive(next, nextSend) {
      send = nextSend
      if (next.knob && next.knob.index !== sentIndex) {
        index = sentIndex = next.knob.index
        update()
      }
    },
    stop() {
      run += 1
      observer.disconnect()
    },
  }
  if (seen.version === data.version) restore()
  else if (!canGuess || isRevealed) reveal(false)
  else update()
  return api
}
