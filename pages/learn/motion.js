/* The picture of a step turns into the next one: what both have moves to its new place, what is new
   appears. What a question offers can be tapped in it; after a tap all that is chosen is sent, with how
   many taps that were: an answer to fewer of them is late. */
// Added to what places an element already.
const MOVING = { duration: 700, easing: "ease-in-out", composite: "add" }
const APPEARING = { duration: 500, delay: 300, fill: "backwards" }

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
  const figure = () => stage.querySelector(".st-key-lesson_picture figure.lr")

  stage.dataset.watched = "true"

  const turn = () => {
    const now = figure()
    if (now && now.firstElementChild !== drawing) {
      const after = parts(now)
      if (drawing && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        move((key, part) => before.get(key) ?? (part.hasWords ? undefined : earlier.get(key)), after)
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

/* Where the smallest parts of a picture are, by what they are of: a label in the row of a case, the
   dot of a label, the ring. */
function parts(figure) {
  const from = figure.getBoundingClientRect()
  const found = new Map()
  const seen = new Map()
  for (const element of figure.querySelectorAll("*")) {
    if (element.childElementCount || element.tagName === "IMG") continue
    const box = element.getBoundingClientRect()
    if (!box.width || !box.height) continue
    const of = plain(element.closest("[data-key]")?.dataset.key) ?? ""
    const isLabel = element.matches(".lr-chip, .lr-strips li")
    const looks = `${element.tagName} ${element.className.replace(/ ?(tappable|chosen)/g, "")}`
    const kind = isLabel ? `label ${element.textContent}` : looks
    const same = seen.get(`${of} ${kind}`) ?? 0
    seen.set(`${of} ${kind}`, same + 1)
    found.set(`${of} ${kind} ${same}`, {
      element,
      x: box.left + box.width / 2 - from.left,
      y: box.top + box.height / 2 - from.top,
      width: box.width,
      height: box.height,
      hasWords: element.textContent !== "",
    })
  }
  return found
}

/* Lines and rings come back from where they were, although a question has left them out. */
function move(last, after) {
  for (const [key, now] of after) {
    const then = last(key, now)
    if (!then) {
      // What adds up comes one after the other.
      const late = 150 * Number(now.element.style.getPropertyValue("--late"))
      now.element.animate([{ opacity: 0 }, {}], { ...APPEARING, delay: APPEARING.delay + late })
      continue
    }
    const [x, y] = [then.x - now.x, then.y - now.y]
    // Words would be squeezed.
    const scale = now.hasWords ? [1, 1] : [then.width / now.width, then.height / now.height]
    if (Math.hypot(x, y) < 1 && scale.every((each) => Math.abs(each - 1) < 0.01)) continue
    const transform = `translate(${x}px, ${y}px) scale(${scale})`
    now.element.animate([{ transform }, { transform: "none" }], MOVING)
  }
}
