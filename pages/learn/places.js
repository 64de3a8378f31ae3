/* A guessed ranking: numbered places, empty to begin with, and the labels that have none yet. A label is dragged
   to a place, or tapped and gets the first empty one; arrow keys move it, and a tap on a placed one takes it out.
   The order of the placed labels is sent; gaps between them stay here. */
const ANSWER_MS = 3000

export default function ({ parentElement, data, setTriggerValue }) {
  const board = parentElement.querySelector(".board")
  const placed = () => board.places.filter((label) => label !== null)
  const isNew = board.places?.length !== data.labels.length
  const isStale = String(data.order) !== board.sent && performance.now() < board.waitsUntil
  if (isNew || (!isStale && String(placed()) !== String(data.order))) {
    board.places = data.labels.map((_, place) => data.order[place] ?? null)
  }
  const slots = data.labels.map((_, place) => slot(place))
  const list = document.createElement("ol")
  list.append(...slots)
  const pool = document.createElement("div")
  pool.className = "pool"
  const chips = data.labels.map((_, label) => chip(label))
  const focused = board.getRootNode().activeElement?.dataset.label
  board.replaceChildren(list, pool)
  draw()
  if (focused !== undefined) chips[focused]?.focus()

  function slot(place) {
    const item = document.createElement("li")
    const number = document.createElement("b")
    number.textContent = place + 1
    item.append(number)
    return item
  }

  function chip(label) {
    const button = document.createElement("button")
    const { name, color, ink } = data.labels[label]
    button.textContent = name
    button.dataset.label = label
    Object.assign(button.style, { background: color, color: ink })
    button.addEventListener("keydown", (event) => onKey(event, label))
    button.addEventListener("pointerdown", (event) => hold(event, button, label))
    return button
  }

  function draw() {
    chips.forEach((button, label) => {
      const place = board.places.indexOf(label)
      ;(place < 0 ? pool : slots[place]).append(button)
      button.setAttribute("aria-label", `${data.labels[label].name}, ${place < 0 ? "no place yet" : `place ${place + 1}`}`)
    })
    slots.forEach((item, place) => item.classList.toggle("filled", board.places[place] !== null))
  }

  /* What was at the place, and what is between it and a free one, moves on towards the free one. */
  function put(label, place) {
    const places = [...board.places]
    const from = places.indexOf(label)
    if (from >= 0) places[from] = null
    let free = from
    if (free < 0) free = places.indexOf(null, place)
    if (free < 0) free = places.lastIndexOf(null)
    if (places[place] !== null) {
      const step = free > place ? -1 : 1
      for (let at = free; at !== place; at += step) places[at] = places[at + step]
    }
    places[place] = label
    const waiting = data.labels.map((_, other) => other).filter((other) => !places.includes(other))
    // Only one place is left for the last one.
    if (waiting.length === 1) places[places.indexOf(null)] = waiting[0]
    keep(places, label)
  }

  function takeOut(label) {
    keep(board.places.map((other) => (other === label ? null : other)), label)
  }

  // Drawn before the answer comes, so that the next key finds the label where it is now.
  function keep(places, label) {
    const before = String(placed())
    const boxes = chips.map((button) => button.getBoundingClientRect())
    board.places = places
    draw()
    slide(boxes)
    chips[label].focus({ preventScroll: true })
    if (String(placed()) === before) return
    // Until this order has come back, answers to earlier ones undo nothing.
    board.sent = String(placed())
    board.waitsUntil = performance.now() + ANSWER_MS
    setTriggerValue("placed", placed())
  }

  function slide(boxes) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return
    chips.forEach((button, label) => {
      const now = button.getBoundingClientRect()
      const [x, y] = [boxes[label].left - now.left, boxes[label].top - now.top]
      if (!x && !y) return
      button.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 200, easing: "ease-out" })
    })
  }

  function tap(label) {
    if (board.places.includes(label)) takeOut(label)
    else put(label, board.places.indexOf(null))
  }

  function onKey(event, label) {
    const place = board.places.indexOf(label)
    const isBetter = ["ArrowLeft", "ArrowUp"].includes(event.key)
    const isTap = ["Enter", " "].includes(event.key)
    if (!isBetter && !isTap && !["ArrowRight", "ArrowDown"].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    if (isTap || place < 0) tap(label)
    else put(label, Math.min(Math.max(place + (isBetter ? -1 : 1), 0), slots.length - 1))
  }

  function hold(down, button, label) {
    if (down.button !== 0) return
    let isDragged = false
    let target = null
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY]
      if (!isDragged && Math.hypot(x, y) < 4) return
      isDragged = true
      button.classList.add("held")
      button.style.transform = `translate(${x}px, ${y}px)`
      target = nearest(event)
      slots.forEach((item, place) => item.classList.toggle("target", place === target))
    }
    const drop = (event) => {
      for (const [name, listener] of listeners) button.removeEventListener(name, listener)
      const box = button.getBoundingClientRect()
      button.classList.remove("held")
      button.style.transform = ""
      slots.forEach((item) => item.classList.remove("target"))
      if (event.type !== "pointerup") return
      if (!isDragged) return tap(label)
      if (target !== null) return put(label, target)
      if (board.places.includes(label)) return takeOut(label)
      slide(chips.map((each) => (each === button ? box : each.getBoundingClientRect())))
    }
    const listeners = [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]]
    button.setPointerCapture(down.pointerId)
    for (const [name, listener] of listeners) button.addEventListener(name, listener)
  }

  /* The place under the pointer, with some room around it. */
  function nearest(event) {
    const inside = slots.findIndex((item) => {
      const box = item.getBoundingClientRect()
      return event.clientX >= box.left - 6 && event.clientX <= box.right + 6
        && event.clientY >= box.top - 12 && event.clientY <= box.bottom + 6
    })
    return inside < 0 ? null : inside
  }
}
