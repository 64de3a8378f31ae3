/* Ticks on the cards of the lessons that were gone through to their end. The browser keeps which. */
const STORE = "labelrank_lessons_done"

export default function ({ data }) {
  const cards = document.querySelector(".st-key-lesson_choice")
  if (!cards) return
  // One set for all calls: observers of two sets would undo each other's words for ever.
  const done = (cards.done ??= read())
  if (data.done && !done.has(data.done)) {
    done.add(data.done)
    write(done)
  }
  const mark = () => {
    cards.querySelectorAll("[role=radio]").forEach((card) => {
      const isDone = done.has(card.textContent.trim())
      if (card.hasAttribute("data-done") !== isDone) card.toggleAttribute("data-done", isDone)
    })
    const progress = cards.querySelector(".lesson-progress")
    const nDone = cards.querySelectorAll("[role=radio][data-done]").length
    if (progress && progress.dataset.done !== String(nDone)) {
      progress.dataset.done = nDone
      progress.dataset.said ??= progress.textContent
      progress.textContent = nDone ? `${progress.dataset.said} · ${nDone} done` : progress.dataset.said
    }
  }
  // On a phone the card in use is in sight, once it and its neighbours have their place.
  const bringIntoSight = () => {
    const row = cards.querySelector("[role=radiogroup]")
    const chosen = row?.querySelector("[aria-checked=true]")
    if (!chosen || chosen === cards.inSight || row.scrollWidth <= row.clientWidth) return
    cards.inSight = chosen
    row.scrollLeft = chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
  }
  cards.observer?.disconnect()
  const observer = (cards.observer = new MutationObserver(() => {
    mark()
    bringIntoSight()
  }))
  observer.observe(cards, { childList: true, subtree: true, attributeFilter: ["aria-checked"] })
  cards.resizing?.disconnect()
  const resizing = (cards.resizing = new ResizeObserver(bringIntoSight))
  resizing.observe(cards)
  mark()
  return () => {
    observer.disconnect()
    resizing.disconnect()
  }
}

// Storage may be forbidden, or hold what somebody else has written.
function read() {
  try {
    return new Set(JSON.parse(localStorage.getItem(STORE)))
  } catch {
    return new Set()
  }
}

function write(done) {
  try {
    localStorage.setItem(STORE, JSON.stringify([...done]))
  } catch {
    // Then the ticks last as long as the page.
  }
}
