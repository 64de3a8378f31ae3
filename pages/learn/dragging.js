/* Rankings as rows of labels: drag a label to another place, or move it by the arrow keys; tap one
   that is not ranked yet, or press Enter on it, and it becomes the last.
   After a move all rankings are sent, each as names by place, tied ones together: two moves at once
   lose nothing. */
export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector("ol")
  const named = (orders) => orders.map((order) => order.map((tied) => tied.map((id) => data.labels[id].name)))
  const numbered = (orders) =>
    orders.map((order) =>
      order.map((tied) => tied.map((name) => data.labels.findIndex((label) => label.name === name))),
    )
  const keyOf = (orders) => JSON.stringify(orders.map((order) => order.map((tied) => [...tied].sort())))
  const rankings = latest()

  // Drawn before the answer comes, so that the next key finds the label where it is now.
  const send = (ranking, label, place) => {
    const order = without(ranking, label)
    order.splice(place, 0, [label])
    if (JSON.stringify(order) === JSON.stringify(rankings[ranking])) return
    if (!list.unanswered.length) list.unanswered.push(named(rankings))
    rankings[ranking] = order
    list.focusNext = { ranking, label }
    list.unanswered.push(named(rankings))
    setTriggerValue("moved", named(rankings))
    draw()
  }
  // The data of a run that began before the last move come late: what was moved meanwhile stays.
  function latest() {
    list.unanswered ??= []
    const shown = keyOf(named(data.rankings))
    const place = list.unanswered.findIndex((orders) => keyOf(orders) === shown)
    const isLate = place >= 0 && place < list.unanswered.length - 1
    list.unanswered = isLate ? list.unanswered.slice(place) : []
    return isLate ? numbered(list.unanswered.at(-1)) : [...data.rankings]
  }
  const without = (ranking, label) =>
    rankings[ranking]
      .map((tied) => tied.filter((other) => other !== label))
      .filter((tied) => tied.length > 0)

  draw()

  function draw() {
    const held = list.getRootNode().activeElement?.dataset
    list.replaceChildren(...rankings.map((_, ranking) => row(ranking)))
    const { ranking, label } = list.focusNext ?? held ?? {}
    list.querySelector(`[data-ranking="${ranking}"][data-label="${label}"]`)?.focus()
    list.focusNext = null
  }

  function row(ranking) {
    const item = document.createElement("li")
    const order = rankings[ranking]
    const ranked = order.flat()
    order.forEach((tied, place) =>
      tied.forEach((label, index) => {
        const mark = index > 0 ? "=" : place > 0 ? ">" : ""
        item.append(chip(item, ranking, label, place, mark))
      }),
    )
    data.labels.forEach((_, label) => {
      if (!ranked.includes(label)) item.append(chip(item, ranking, label, order.length, ""))
    })
    return item
  }

  function chip(item, ranking, label, place, mark) {
    const ranked = place < rankings[ranking].length
    const button = document.createElement("button")
    const { name, color, ink } = data.labels[label]
    button.textContent = name
    button.dataset.ranking = ranking
    button.dataset.label = label
    button.dataset.mark = mark
    button.style.order = 2 * place + 1
    button.classList.toggle("unranked", !ranked)
    if (ranked) Object.assign(button.style, { background: color, color: ink })
    const where = ranked ? `place ${place + 1}` : "not ranked"
    button.setAttribute("aria-label", `${name}, ${where} in ranking ${ranking + 1}`)
    button.addEventListener("keydown", (event) => {
      if (!ranked && ["Enter", " "].includes(event.key)) {
        event.preventDefault()
        send(ranking, label, place)
      }
      const better = ["ArrowLeft", "ArrowUp"].includes(event.key)
      if (!better && !["ArrowRight", "ArrowDown"].includes(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      const alone = ranked && rankings[ranking][place].length === 1
      const target = better ? place - (alone || !ranked ? 1 : 0) : place + 1
      send(ranking, label, Math.min(Math.max(target, 0), without(ranking, label).length))
    })
    const tapped = ranked ? null : place
    button.addEventListener("pointerdown", (event) => hold(event, item, button, ranking, label, tapped))
    return button
  }

  function hold(down, item, button, ranking, label, tapped) {
    if (down.button !== 0) return
    const groups = without(ranking, label)
    const middle = (tied) => {
      const boxes = tied.map((other) =>
        item.querySelector(`[data-label="${other}"]`).getBoundingClientRect(),
      )
      const x = boxes.reduce((sum, box) => sum + box.left + box.width / 2, 0) / boxes.length
      return { x, top: boxes[0].top, bottom: boxes[0].bottom }
    }
    const before = (event) => (tied) => {
      const { x, top, bottom } = middle(tied)
      return bottom < event.clientY || (top <= event.clientY && x < event.clientX)
    }
    let place = null
    const move = (event) => {
      if (place === null && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) return
      place = groups.filter(before(event)).length
      groups.forEach((tied, index) =>
        tied.forEach((other) => {
          item.querySelector(`[data-label="${other}"]`).style.order = 2 * index + 1
        }),
      )
      button.style.order = 2 * place
      button.classList.add("held")
    }
    const drop = (event) => {
      button.removeEventListener("pointermove", move)
      button.removeEventListener("pointerup", drop)
      button.removeEventListener("pointercancel", drop)
      button.classList.remove("held")
      if (event.type === "pointerup" && (place ?? tapped) !== null) send(ranking, label, place ?? tapped)
    }
    button.setPointerCapture(down.pointerId)
    button.addEventListener("pointermove", move)
    button.addEventListener("pointerup", drop)
    button.addEventListener("pointercancel", drop)
  }
}
