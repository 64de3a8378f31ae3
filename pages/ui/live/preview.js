/* The answer of the page, moved to another ranking while somebody drags: chips glide to the places
   of the labels, what else stands there fades until the server has drawn it anew. */
const ANSWER = ".st-key-answer"
const STRIP = ".st-key-ranking_strip [data-labels]"

/* `buckets`: the labels of each position, the first one first. */
function previewRanking(buckets) {
  const answer = document.querySelector(ANSWER)
  if (!answer) return
  const placeOf = new Map(buckets.flatMap((tied, place) => tied.map((label) => [label, place])))
  const tiedWith = new Map(buckets.flatMap((tied) => tied.map((label) => [label, tied])))
  const labelsOf = (cell) => cell.dataset.labels.split(" ").map(Number)
  const placeOfCell = (cell) => Math.min(...labelsOf(cell).map((label) => placeOf.get(label) ?? Infinity))
  // Moving a cell can neither tie labels nor part them: then a list of its own says the ranking.
  const holdsBucket = (cell) => {
    const held = labelsOf(cell)
    const tied = tiedWith.get(held[0])
    return !tied || (tied.length === held.length && held.every((label) => tied.includes(label)))
  }
  const cellsOf = (list) => [...list.querySelectorAll("[data-labels]")].filter((cell) => cell.dataset.labels)
  removeTiedPreviews()
  // Everything is read before anything is written, or the browser lays out the page in between.
  const lists = [...answer.querySelectorAll(".lr-sides > .side:first-of-type, .lr-ladder")].map((list) => {
    const cells = cellsOf(list)
    return { list, cells, tops: cells.map(topOf) }
  })
  answer.classList.add("previewing")
  for (const cell of document.querySelectorAll(STRIP)) cell.style.order = placeOfCell(cell)
  for (const { list, cells, tops } of lists) {
    // It does not fade.
    list.closest(".lr-parts > *")?.classList.add("moved")
    if (!cells.every(holdsBucket)) {
      showTiedPreview(list, cells, buckets)
      continue
    }
    const sorted = [...cells].sort((a, b) => placeOfCell(a) - placeOfCell(b))
    sorted.forEach((cell, place) => {
      const distance = tops[place] - tops[cells.indexOf(cell)]
      for (const part of partsOf(cell)) part.style.transform = distance ? `translateY(${distance}px)` : ""
    })
  }
}

function endPreview() {
  const answer = document.querySelector(ANSWER)
  if (!answer) return
  answer.classList.remove("previewing")
  removeTiedPreviews()
  for (const cell of document.querySelectorAll(STRIP)) cell.style.order = ""
  for (const cell of answer.querySelectorAll("[data-labels]"))
    for (const part of partsOf(cell)) part.style.transform = ""
}

/* Write the ranking over a list that is out of date, a line for each position, tied labels in one. */
function showTiedPreview(list, cells, buckets) {
  const chips = new Map()
  for (const cell of cells) {
    const drawn = cell.querySelectorAll(".lr-chip")
    cell.dataset.labels.split(" ").forEach((label, i) => drawn[i] && chips.set(Number(label), drawn[i]))
    for (const part of partsOf(cell)) part.style.transform = ""
  }
  const preview = document.createElement("div")
  preview.className = "tied-preview"
  preview.style.width = `${list.offsetWidth}px`
  for (const tied of buckets) {
    const known = tied.filter((label) => chips.has(label))
    if (!known.length) continue
    const line = document.createElement("span")
    if (known.length > 1) line.className = "lr-tied"
    known.forEach((label, i) => {
      if (i) line.append(Object.assign(document.createElement("i"), { textContent: "=" }))
      line.append(chips.get(label).cloneNode(true))
    })
    preview.append(line)
  }
  list.classList.add("outdated")
  const frame = list.closest(".lr-sides") ?? list
  preview.style.marginTop = `${list.getBoundingClientRect().top - frame.getBoundingClientRect().top}px`
  frame.before(preview)
}

function removeTiedPreviews() {
  for (const preview of document.querySelectorAll(`${ANSWER} .tied-preview`)) preview.remove()
  for (const list of document.querySelectorAll(`${ANSWER} .outdated`)) list.classList.remove("outdated")
}

// The rows of a ladder have no box of their own; the number of the place stays where it is.
const partsOf = (cell) => (cell.tagName === "LI" ? [...cell.children].slice(1) : [cell])
const topOf = (cell) => partsOf(cell)[0].offsetTop
