/* Says how far somebody has scrolled: the number of the next chapter once it is near the window.
   Cards are looked up each time, because a run of the page may replace them. Nothing is sent while
   the script runs: it would begin again, with what widgets showed before it, on this page although
   somebody has gone to another one. */
const NEAR_PIXELS = 500
const LOOK_MS = 200
const IDLE = "notRunning"
const APP = "[data-test-script-state]"

export default function ({ parentElement, data, setStateValue }) {
  const node = parentElement.querySelector(".watch")
  const isRunning = () => (document.querySelector(APP)?.dataset.testScriptState ?? IDLE) !== IDLE
  const card = (number) => document.querySelector(`.st-key-chapter-${number}`)
  if (data.scroll_to && node.scrolledTo !== data.scroll_to) {
    node.scrolledTo = data.scroll_to
    card(data.scroll_to)?.scrollIntoView({ block: "start" })
  }
  clearInterval(node.looking)
  if (data.n_seen >= data.last) return
  const look = () => {
    if (!node.isConnected) return clearInterval(node.looking)
    const next = card(data.n_seen + 1)
    if (isRunning() || !next || next.getBoundingClientRect().top >= innerHeight + NEAR_PIXELS) return
    clearInterval(node.looking)
    setStateValue("seen", data.n_seen + 1)
  }
  node.looking = setInterval(look, LOOK_MS)
  return () => clearInterval(node.looking)
}
