/* Says how far somebody has scrolled: the number of the last chapter that came near the window. */
const NEAR = "0px 0px 500px 0px"

export default function ({ parentElement, data, setStateValue }) {
  const node = parentElement.querySelector(".watch")
  node.observer?.disconnect()
  const card = (number) => document.querySelector(`.st-key-chapter-${number}`)
  if (data.scroll_to && node.scrolledTo !== data.scroll_to) {
    node.scrolledTo = data.scroll_to
    card(data.scroll_to)?.scrollIntoView({ block: "start" })
  }
  if (data.n_seen >= data.last) return
  node.observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      node.observer.disconnect()
      setStateValue("seen", data.n_seen + 1)
    },
    { root: document.querySelector("[data-testid=stMain]"), rootMargin: NEAR },
  )
  const next = card(data.n_seen + 1)
  if (next) node.observer.observe(next)
}
