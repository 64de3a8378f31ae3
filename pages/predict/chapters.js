/* Says how far somebody has scrolled: the number of the next chapter once it is near the window.
   Cards are looked up each time, because a run of the page may replace them. */
const NEAR_PIXELS = 500
const LOOK_MS = 200

export default function ({ parentElement, data, setStateValue }) {
  const node = parentElement.querySelector(".watch")
  const card = (number) => document.querySelector(`.st-key-chapter-${number}`)
  if (data.scroll_to && node.scrolledTo !== data.scroll_to) {
    node.scrolledTo = data.scroll_to
    card(data.scroll_to)?.scrollIntoView({ block: "start" })
  }
  clearInterval(node.looking)
  if (data.n_seen >= data.last) return
  const look = () => {
    const next = card(data.n_seen + 1)
    if (!node.isConnected) clearInterval(node.looking)
    else if (next && next.getBoundingClientRect().top < innerHeight + NEAR_PIXELS) {
      clearInterval(node.looking)
      setStateValue("seen", data.n_seen + 1)
    }
  }
  node.looking = setInterval(look, LOOK_MS)
  return () => clearInterval(node.looking)
}
