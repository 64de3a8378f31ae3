/* Says how far somebody has scrolled: the number of the next chapter once it is near the window,
   or of the one that a button leads to.
   Cards are looked up each time, because a run of the page may replace them.

   What is sent begins the script again, on this page and with what the widgets show now. So nothing
   is sent while the script runs, while a list is open, while a button of the mouse or a finger is
   down on a slider, right after a click or a key that may have sent something else, or once the
   address is that of another page: a choice or a step back would be lost. */
const NEAR_PIXELS = 500
const LOOK_MS = 200
const CALM_MS = 1000
const ACTS = ["pointerdown", "pointerup", "pointercancel", "click", "keydown"]
const OPEN = "[role=listbox], [role=dialog]"
const IDLE = "notRunning"
const APP = "[data-test-script-state]"

export default function ({ parentElement, data, setStateValue }) {
  const node = parentElement.querySelector(".watch")
  const card = (number) => document.querySelector(`.st-key-chapter-${number}`)
  if (data.scroll_to && node.scrolledTo !== data.scroll_to) {
    node.scrolledTo = data.scroll_to
    card(data.scroll_to)?.scrollIntoView({ block: "start" })
  }
  if (node.jumpedTo <= data.n_seen) {
    // It was a place for it when it was jumped to, and may be higher now, or further down.
    card(node.jumpedTo)?.scrollIntoView({ block: "start" })
    node.jumpedTo = undefined
  }
  node.jumps?.abort()
  node.jumps = new AbortController()
  const jump = ({ target }) => {
    const number = Number(target.closest?.("[data-jump]")?.dataset.jump)
    if (!number) return
    card(number)?.scrollIntoView({ block: "start" })
    if (number <= data.n_seen) return
    node.jumpedTo = number
    setStateValue("seen", number)
  }
  document.addEventListener("click", jump, { signal: node.jumps.signal })
  node.stop?.()
  if (data.n_seen >= data.last) return
  node.page ??= location.pathname
  const leave = new AbortController()
  const note = ({ type }) => {
    node.acted = performance.now()
    node.isHeld = type === "pointerdown"
  }
  for (const act of ACTS) document.addEventListener(act, note, { capture: true, signal: leave.signal })
  const isBusy = () =>
    location.pathname !== node.page ||
    document.querySelector(OPEN) ||
    node.isHeld ||
    performance.now() - (node.acted ?? -CALM_MS) < CALM_MS ||
    (document.querySelector(APP)?.dataset.testScriptState ?? IDLE) !== IDLE
  const look = () => {
    if (!node.isConnected) return node.stop()
    const next = card(data.n_seen + 1)
    if (isBusy() || !next || next.getBoundingClientRect().top >= innerHeight + NEAR_PIXELS) return
    node.stop()
    setStateValue("seen", data.n_seen + 1)
  }
  const looking = setInterval(look, LOOK_MS)
  node.stop = () => {
    clearInterval(looking)
    leave.abort()
  }
  return node.stop
}
