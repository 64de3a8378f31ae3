/* The answer of the page, moved to another ranking while somebody drags: chips glide to the places
   of the labels, what else stands there fades until the server has drawn it anew. */
const ANSWER = ".st-key-answer"
const STRIP = ".st-key-ranking_strip [data-labels]"

function previewRanking(order) {
  const answer = document.querySelector(ANSWER)
  if (!answer) return
  answer.classList.add("previewing")
  const placeOf = new Map(order.map((label, place) => [label, place]))
  const placeOfCell = (cell) =>
    Math.min(...cell.dataset.labels.split(" ").map((label) => placeOf.get(Number(label)) ?? Infinity))
  for (const cell of document.querySelectorAll(STRIP)) cell.style.order = placeOfCell(cell)
  for (const list of answer.querySelectorAll(".lr-sides > .side:first-of-type, .lr-ladder")) {
    const cells = [...list.querySelectorAll("[data-labels]")].filter((cell) => cell.dataset.labels)
    const tops = cells.map(topOf)
    const sorted = [...cells].sort((a, b) => placeOfCell(a) - placeOfCell(b))
    sorted.forEach((cell, place) => {
      const distance = tops[place] - topOf(cell)
      for (const part of partsOf(cell)) part.style.transform = distance ? `translateY(${distance}px)` : ""
    })
  }
}

function endPreview() {
  const answer = document.querySelector(ANSWER)
  if (!answer) return
  answer.classList.remove("previewing")
  for (const cell of document.querySelectorAll(STRIP)) cell.style.order = ""
  for (const cell of answer.querySelectorAll("[data-labels]"))
    for (const part of partsOf(cell)) part.style.transform = ""
}

// The rows of a ladder have no box of their own; the number of the place stays where it is.
const partsOf = (cell) => (cell.tagName === "LI" ? [...cell.children].slice(1) : [cell])
const topOf = (cell) => partsOf(cell)[0].offsetTop
