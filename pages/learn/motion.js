/* The picture of a step turns into the next one: each object moves from its old place, size and colour to
   its new one, what is new appears, and what is gone fades. What a question offers can be tapped in it; after
   a tap all that is chosen is sent, with how many taps that were: an answer to fewer of them is late. */
const DURATION = 350
// Added to what places an element already.
const MOVING = { duration: DURATION, easing: "ease-in-out", composite: "add" }
const CHANGING = { duration: DURATION, easing: "ease-in-out" }
const APPEARING = { duration: DURATION, fill: "backwards" }

export default function ({ parentElement, data, setTriggerValue }) {
  const stage = parentElement.closest(".st-key-lesson_stage")
  if (!stage) return
  parentElement.motion ??= watch(stage)
  return parentElement.motion.ask(data, (tapped) => setTriggerValue("tapped", tapped))
}

function watch(stage) {
  let asked = { question: null, options: [], chosen: [], several: true, taps: 0 }
  let send = () => {}
  let drawing = null
  // Of the last picture and of the one before it.
  let before = new Map()
  let earlier = new Map()
  const figure = () => stage.querySelector(".st-key-lesson_picture figure.lr:not(.leaving)")

  stage.dataset.watched = "true"

  const turn = () => {
    const now = figure()
    if (now && now.firstElementChild !== drawing) {
      stage.querySelectorAll(".leaving").forEach((each) => each.remove())
      const after = parts(now)
      if (drawing && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        fade(now, drawing, move(before, earlier, after))
      }
      drawing = now.firstElementChild
      earlier = before
      before = after
    }
    mark()
  }
  const mark = () => {
    figure()
      ?.querySelectorAll("[data-key]")
      .forEach((each) => {
        const place = asked.options.indexOf(plain(each.dataset.key))
        each.classList.toggle("tappable", place >= 0)
        each.classList.toggle("chosen", asked.chosen.includes(place))
      })
  }
  const tap = (event) => {
    const place = asked.options.indexOf(plain(event.target.closest(".tappable")?.dataset.key))
    if (place < 0) return
    const others = asked.several ? asked.chosen.filter((each) => each !== place) : []
    asked.chosen = asked.chosen.includes(place) ? others : [...others, place]
    asked.taps += 1
    mark()
    send({ chosen: asked.chosen, taps: asked.taps })
  }
  const measure = () => {
    if (figure()) before = parts(figure())
  }

  const observer = new MutationObserver(turn)
  observer.observe(stage, { childList: true, subtree: true })
  stage.addEventListener("click", tap)
  window.addEventListener("resize", measure)
  const stop = () => {
    observer.disconnect()
    stage.removeEventListener("click", tap)
    window.removeEventListener("resize", measure)
  }
  return {
    ask(data, sender) {
      send = sender
      if (data.question !== asked.question || data.taps >= asked.taps) {
        asked = { ...data, options: data.options.map(plain), chosen: [...data.chosen] }
      }
      turn()
      return stop
    },
  }
}

// Names are kept apart from markup by invisible letters.
const plain = (words) => words?.replaceAll("\u2060", "")

/* The objects of a picture by their keys: where they are, and in which colour. The first one of a label also
   stands for it. */
function parts(figure) {
  const from = figure.getBoundingClientRect()
  const found = new Map()
  for (const element of figure.querySelectorAll("[data-object]")) {
    const box = element.getBoundingClientRect()
    if (!box.width || !box.height) continue
    const key = plain(element.dataset.object)
    const part = {
      element,
      x: box.left + box.width / 2 - from.left,
      y: box.top + box.height / 2 - from.top,
      width: box.width,
      height: box.height,
      color: getComputedStyle(element).backgroundColor,
      hasWords: element.textContent !== "",
    }
    found.set(key, part)
    const label = key.match(/label \d+/)?.[0]
    if (label && !found.has(label)) found.set(label, part)
  }
  return found
}

/* Let each object come from where it was, or from its origin; return the elements that have moved on. Lines and
   rings come back from where they were, although a question has left them out. */
function move(before, earlier, after) {
  const gone = new Set()
  for (const [key, now] of after) {
    if (plain(now.element.dataset.object) !== key) continue
    const origins = plain(now.element.dataset.origins)?.split("|") ?? []
    const origin = [key, ...origins].find((each) => before.has(each))
    const then = before.get(origin) ?? (now.hasWords ? undefined : earlier.get(key))
    if (!then) {
      // What adds up comes one after the other.
      const delay = 150 * Number(now.element.style.getPropertyValue("--late"))
      now.element.animate([{ opacity: 0 }, {}], { ...APPEARING, delay })
      continue
    }
    if (origin) gone.add(then.element)
    turnInto(then, now, origin === undefined || origin === key)
  }
  return gone
}

function turnInto(then, now, isSame) {
  const [x, y] = [then.x - now.x, then.y - now.y]
  const [across, down] = [then.width / now.width, then.height / now.height]
  const isResized = [across, down].some((each) => Math.abs(each - 1) > 0.01)
  const isOpaque = ![then, now].some(({ color }) => color === "rgba(0, 0, 0, 0)")
  if (isOpaque && then.color !== now.color) {
    now.element.animate([{ backgroundColor: then.color }, { backgroundColor: now.color }], CHANGING)
  }
  if (Math.hypot(x, y) < 1 && !isResized) return
  // Words would be squeezed: what is behind them grows.
  const scale = now.hasWords || !isSame ? [1, 1] : [across, down]
  if (now.hasWords && isOpaque && isResized) {
    const inset = [1 - down, 1 - across].map((each) => `${Math.max(0, 50 * each)}%`).join(" ")
    now.element.animate([{ clipPath: `inset(${inset})` }, { clipPath: "inset(0 0)" }], CHANGING)
  }
  const transform = `translate(${x}px, ${y}px) scale(${scale})`
  now.element.animate([{ transform }, { transform: "none" }], MOVING)
}

/* The picture before lies over the new one until it has faded, without what has moved on. */
function fade(figure, drawing, gone) {
  const box = figure.getBoundingClientRect()
  const around = figure.closest(".st-key-lesson_picture").getBoundingClientRect()
  const leaving = document.createElement("figure")
  leaving.className = "lr leaving"
  leaving.ariaHidden = "true"
  const [left, top] = [box.left - around.left, box.top - around.top]
  Object.assign(leaving.style, { left: `${left}px`, top: `${top}px`, width: `${box.width}px` })
  gone.forEach((element) => (element.style.visibility = "hidden"))
  leaving.append(drawing)
  figure.closest(".st-key-lesson_picture").append(leaving)
  const fading = leaving.animate([{ opacity: 1 }, { opacity: 0 }], { duration: DURATION, fill: "forwards" })
  fading.onfinish = () => leaving.remove()
}
